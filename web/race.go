package web

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"attnatlas/components"
	"attnatlas/engine"
	"attnatlas/engine/exhibit"
	"attnatlas/engine/messages"
	"attnatlas/engine/nn"
	"attnatlas/engine/tokenizer"
	"attnatlas/web/address"
)

// racers are all models that may have learned to guess words, and those of ids.
func (s *Server) racers(ids []string) []string {
	var all []string
	for _, e := range s.listed(ids) {
		if s.trained(e.ID) && !s.borrowed(e) {
			all = append(all, e.ID)
		}
	}
	return all
}

// race asks the engine for the boards of a state.
func (s *Server) race(ctx context.Context, st address.State, ids []string) (*engine.Report, error) {
	return s.report(ctx, st.Contest(s.vocab, ids), s.inspector.Inspect)
}

// race is the board of the page. Whatever is wrong with it, the page stands.
func (p *page) race(ctx context.Context) components.Race {
	r := components.Race{On: p.state.Race != 0}
	if p.at != nil || p.layers == 0 || !p.folds.wants(raceBoard) {
		return components.Race{}
	}
	st := p.state
	id := "race.open"
	if st.Race = 1; r.On {
		st.Race, id = 0, "race.end"
	}
	r.Toggle = components.Link{Label: p.t(id), Hint: p.t(id + "-help"), URL: p.url(st)}
	if !r.On {
		return r
	}
	if p.state.Race == address.EveryWord {
		p.raceInTurns(ctx, &r)
		return r
	}
	st.Race = address.EveryWord
	r.Every = components.Link{Label: p.t("race.every"), Hint: p.t("race.every-help"), URL: p.url(st)}
	hidden := p.state.HiddenCount(p.s.vocab)
	if hidden == 0 {
		p.suggest(ctx, &r)
		return r
	}
	p.state.Race = min(max(p.state.Race, 1), hidden)
	ids := p.s.racers(p.state.Mechanisms)
	report, err := p.s.race(ctx, p.state, ids)
	if err != nil {
		r.Says = fullStop(p.say(messageOf(err)))
		return r
	}
	boards := exhibit.Boards(report)
	if len(boards) == 0 {
		r.Says = p.t("race.nobody")
		r.Out = p.outOfRace(report.Mechanisms)
		return r
	}
	p.fillRace(&r, boards, p.uncut(ctx, ids))
	return r
}

// uncut are the guesses of all models where nothing is cut, if something is.
func (p *page) uncut(ctx context.Context, ids []string) map[string]engine.Attempt {
	if !p.isCut() {
		return nil
	}
	report, err := p.s.race(ctx, p.state.Whole(), ids)
	if err != nil {
		return nil // the board stands without
	}
	all := map[string]engine.Attempt{}
	for _, m := range report.Mechanisms {
		if m.Err == nil && len(m.Attempts) >= p.state.Race {
			all[m.ID] = m.Attempts[p.state.Race-1]
		}
	}
	return all
}

// fillRace tells the board of the page, and leads to others.
func (p *page) fillRace(r *components.Race, boards []exhibit.Board, uncut map[string]engine.Attempt) {
	p.spell(boards)
	b := boards[p.state.Race-1]
	r.Word, r.Says = b.Word, p.raceSays(b)
	for _, racer := range b.Racers {
		row := p.raceRow(b, racer)
		if a, ok := uncut[racer.ID]; ok && len(racer.Cut) > 0 {
			row.Uncut = messages.Number(a.Truth())
		}
		r.Rows = append(r.Rows, row)
	}
	r.Notes = append(p.sortedBy(b), p.raceNotes(b)...)
	var out []engine.Result
	for _, m := range b.Out {
		out = append(out, *m)
	}
	r.Out = p.outOfRace(out)
	r.Previous, r.Next = p.raceMove(-1, "race.previous"), p.raceMove(1, "race.next")
	if len(boards) == 1 {
		return
	}
	for i, other := range boards {
		st := p.state
		st.Race = i + 1
		label := other.Word
		if label == "" {
			label = p.sel.Report.Tokens[other.First].Label()
		}
		r.Others = append(r.Others, components.RaceWord{Link: components.Link{Label: label, URL: p.url(st)}, Current: st.Race == p.state.Race})
	}
}

// spell writes hidden words as the text does: pieces of the vocabulary have small letters only.
func (p *page) spell(boards []exhibit.Board) {
	behind := p.state.Hidden(p.s.vocab)
	for i := range boards {
		b := &boards[i]
		if b.Word == "" {
			continue
		}
		b.Word = ""
		for at := b.First; at < b.Last; at++ {
			b.Word += behind[at].Text
		}
		b.Word = tokenizer.Visible(b.Word)
	}
}

// raceMove leads to the board of a neighbouring word.
func (p *page) raceMove(by int, id string) components.Link {
	st, ok := p.state.Moved(p.s.vocab, by)
	if !ok {
		return components.Link{}
	}
	st.Pin = p.state.Pin
	return components.Link{Label: p.t(id), Hint: p.t(id + "-help"), URL: p.url(st.Untold())}
}

// raceSays says who guesses best.
func (p *page) raceSays(b exhibit.Board) string {
	first := b.Racers[0]
	if b.Word == "" {
		return p.t("race.unknown", "count", len(b.Racers), "name", first.Entry.Name, "guess", first.Guess, "p", messages.Number(first.Top()))
	}
	id := "race.known"
	switch b.Right() {
	case 0:
		id = "race.none"
	case len(b.Racers):
		id = "race.everybody"
	}
	return p.t(id, "count", b.Right(), "all", len(b.Racers), "word", b.Word, "name", first.Entry.Name, "p", messages.Number(first.Truth()))
}

// sortedBy says how a board is sorted, and how a word of several pieces is scored.
func (p *page) sortedBy(b exhibit.Board) []string {
	id := "race.sorted.known"
	if b.Word == "" {
		id = "race.sorted.unknown"
	}
	all := []string{p.t(id)}
	if n := b.Last - b.First; n > 1 {
		all = append(all, p.t("race.pieces", "pieces", n))
	}
	return all
}

// raceNotes say what is to be known of the models' guesses.
func (p *page) raceNotes(b exhibit.Board) (all []string) {
	var next []messages.Message
	for _, r := range b.Racers {
		if r.Next() {
			next = append(next, r.Entry.Name)
		}
	}
	if len(next) > 0 {
		all = append(all, p.t("race.left", "names", messages.Join(", ", next...)))
	}
	if p.state.Mask == nn.Causal {
		all = append(all, p.t("race.causal"))
	}
	return all
}

// racerRow is a model in its place, without its guess.
func (p *page) racerRow(id string, place int) components.RaceRow {
	name := p.name(id)
	return components.RaceRow{ID: id, Name: name, Place: place, Chosen: slices.Contains(p.state.Mechanisms, id), To: p.cardLink(id, name)}
}

// raceRow is one model of a board.
func (p *page) raceRow(b exhibit.Board, racer exhibit.Racer) components.RaceRow {
	row := p.racerRow(racer.ID, racer.Place)
	row.Guess = wordProb(racer.Guess, racer.Top())
	row.Guess.Right = b.Word != "" && racer.Right()
	if b.Word != "" {
		row.Truth = wordProb(b.Word, racer.Truth())
		row.Rank, row.Ranks = worstRank(racer.Pieces)
	}
	if m := racer.Model; m != nil {
		row.Loss = strconv.FormatFloat(m.Loss, 'f', 2, 64)
		row.LossHelp = p.t("race.loss.next")
		if racer.Usual > 0 {
			row.LossHelp = p.t("race.loss.hidden", "place", racer.Usual)
		}
	}
	return row
}

// worstRank is that of the worst piece of a word, and then those of all.
func worstRank(pieces []engine.Guessed) (worst, all string) {
	var ranks []string
	most := 0
	for _, g := range pieces {
		most = max(most, g.Rank)
		ranks = append(ranks, messages.Grouped(g.Rank))
	}
	return messages.Grouped(most), strings.Join(ranks, " · ")
}

// cardLink adds a model's card to the page, or goes to it.
func (p *page) cardLink(id, name string) components.Link {
	if slices.Contains(p.state.Mechanisms, id) {
		return components.Link{Hint: p.t("race.to-card", "name", name), URL: "#card-" + id}
	}
	st := p.state
	st.Mechanisms = append(slices.Clone(st.Mechanisms), id)
	return components.Link{Hint: p.t("race.add-card", "name", name), URL: p.url(st)}
}

// outOfRace says who does not guess, those together who have the same reason.
func (p *page) outOfRace(list []engine.Result) []string {
	var reasons []string
	names := map[string][]messages.Message{}
	for i := range list {
		m := &list[i]
		if m.Err == nil {
			continue
		}
		p.s.logUnforeseen(p.r, m.Err)
		why := fullStop(p.say(messageOf(m.Err)))
		if names[why] == nil {
			reasons = append(reasons, why)
		}
		name := messages.Text(clean(m.ID))
		if m.Entry != nil {
			name = m.Entry.Name
		}
		names[why] = append(names[why], name)
	}
	var all []string
	for _, why := range reasons {
		all = append(all, clean(p.t("race.out", "names", messages.Join(", ", names[why]...), "why", why)))
	}
	return all
}

// mostSuggesting is how many models are asked for a word about which they differ.
const mostSuggesting = 4

// suggest says how a word is hidden, and which: the one about which models of the page differ
// most, when that is soon found out.
func (p *page) suggest(ctx context.Context, r *components.Race) {
	r.Says = p.t("race.choose")
	st := p.state
	st.Race = address.EveryWord
	ids := p.state.Mechanisms[:min(len(p.state.Mechanisms), mostSuggesting)]
	asked := st.Contest(p.s.vocab, ids)
	if !p.s.inspector.soon(asked) {
		p.suggestAny(r)
		return
	}
	report, err := p.s.report(ctx, asked, p.s.inspector.Inspect)
	if err != nil {
		p.suggestAny(r)
		return
	}
	b := exhibit.Disputed(exhibit.Boards(report))
	if b == nil || len(b.Racers) < 2 {
		p.suggestAny(r)
		return
	}
	next, ok := p.state.HideWord(p.s.vocab, wordAt(report, b.First, b.Last))
	if !ok {
		return
	}
	first, last := b.Racers[0], b.Racers[len(b.Racers)-1]
	r.Tries = append(r.Tries, components.Link{
		Label: p.t("try.hide.label", "word", b.Word), URL: p.url(next.Untold()),
		Hint: p.t("race.disputed", "first", first.Entry.Name, "most", messages.Number(first.Truth()), "last", last.Entry.Name, "least", messages.Number(last.Truth())),
	})
}

// suggestAny suggests a long word.
func (p *page) suggestAny(r *components.Race) {
	if word, st, ok := p.hideOne(p.state); ok {
		r.Tries = append(r.Tries, components.Link{Label: p.t("try.hide.label", "word", word), URL: p.url(st.Untold())})
	}
}

// raceOne opens the board of a word that is hidden, or else of one that can be.
func (p *page) raceOne(st address.State) (address.State, bool) {
	if st.Race != 0 {
		return st, false
	}
	ok := true
	if st.HiddenCount(p.s.vocab) == 0 {
		_, st, ok = p.hideOne(st)
	}
	st.Race = 1
	return st, ok
}
