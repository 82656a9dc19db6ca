package wall

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
	"attnatlas/engine/predict"
	"attnatlas/engine/tokenizer"
	"attnatlas/web/address"
	"attnatlas/web/scene"
	"attnatlas/web/site"
)

// racers returns all models that may be trained to predict words, including those of ids.
func (s *Views) racers(ids []string) []string {
	var all []string
	for _, e := range s.Listed(ids) {
		if s.Trained(e.ID) && !s.Borrowed(e) {
			all = append(all, e.ID)
		}
	}
	return all
}

// race asks the engine for the boards of a state.
func (s *Views) race(ctx context.Context, st address.State, ids []string) (*engine.Report, error) {
	return s.Report(ctx, st.Contest(s.Vocab, ids), s.Inspector.Inspect)
}

// race returns the board of the page. An error in it does not stop the page.
func (p *View) race(ctx context.Context) components.Race {
	r := components.Race{On: p.State.Race != 0}
	if p.At != nil || p.Layers == 0 || !p.Folds.Wants(raceBoard) {
		return components.Race{}
	}
	st, id := p.State, "race.end"
	if st.Race = 0; !r.On {
		id = "race.open"
		if filled, ok := p.raceOne(st); ok {
			st = filled.Untold()
		}
		st.Race = 1
	}
	r.Toggle = components.Link{Label: p.T(id), Hint: p.T(id + "-help"), URL: p.URL(st)}
	if !r.On {
		return r
	}
	if p.State.Race == address.EveryWord {
		p.raceInTurns(ctx, &r)
		return r
	}
	st.Race = address.EveryWord
	r.Every = components.Link{Label: p.T("race.every"), Hint: p.T("race.every-help"), URL: p.URL(st)}
	hidden := p.State.HiddenCount(p.Site.Vocab)
	if hidden == 0 {
		p.suggest(ctx, &r)
		return r
	}
	p.State.Race = min(max(p.State.Race, 1), hidden)
	ids := p.Site.racers(p.State.Mechanisms)
	report, err := p.Site.race(ctx, p.State, ids)
	if err != nil {
		r.Says = site.FullStop(p.Say(site.MessageOf(err)))
		return r
	}
	boards := exhibit.Boards(report)
	if len(boards) == 0 {
		r.Says = p.T("race.nobody")
		r.Out = p.outOfRace(report.Mechanisms)
		return r
	}
	p.fillRace(&r, boards, p.uncut(ctx, ids))
	return r
}

// uncut returns the predictions of all models without exclusions, if there are any.
func (p *View) uncut(ctx context.Context, ids []string) map[string]predict.Attempt {
	if !p.isCut() {
		return nil
	}
	report, err := p.Site.race(ctx, p.State.WithoutCuts(), ids)
	if err != nil {
		return nil // the page keeps its board without these predictions
	}
	all := map[string]predict.Attempt{}
	for _, m := range report.Mechanisms {
		if m.Err == nil && len(m.Attempts) >= p.State.Race {
			all[m.ID] = m.Attempts[p.State.Race-1]
		}
	}
	return all
}

// fillRace fills the board of the page, and links it to others.
func (p *View) fillRace(r *components.Race, boards []exhibit.Board, uncut map[string]predict.Attempt) {
	p.spell(boards)
	b := boards[p.State.Race-1]
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
		st := p.State
		st.Race = i + 1
		label := other.Word
		if label == "" {
			label = p.Sel.Report.Tokens[other.First].Label()
		}
		r.Others = append(r.Others, components.RaceWord{Link: components.Link{Label: label, URL: p.URL(st)},
			Current: st.Race == p.State.Race})
	}
}

// spell spells masked words as the text does: the tokens of the vocabulary are in lower case.
func (p *View) spell(boards []exhibit.Board) {
	behind := p.State.Hidden(p.Site.Vocab)
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

// raceMove returns the link to the board of the previous or next word.
func (p *View) raceMove(by int, id string) components.Link {
	st, ok := p.State.Moved(p.Site.Vocab, by)
	if !ok {
		return components.Link{}
	}
	st.Pin = p.State.Pin
	return components.Link{Label: p.T(id), Hint: p.T(id + "-help"), URL: p.URL(st.Untold())}
}

// raceSays says which models predict best.
func (p *View) raceSays(b exhibit.Board) string {
	first := b.Racers[0]
	if b.Word == "" {
		return p.T("race.unknown", "count", len(b.Racers), "name", first.Entry.Name, "guess", first.Guess, "p",
			messages.Number(first.Top()))
	}
	id := "race.known"
	switch b.Right() {
	case 0:
		id = "race.none"
	case len(b.Racers):
		id = "race.everybody"
	}
	return p.T(id, "count", b.Right(), "all", len(b.Racers), "word", b.Word, "name", first.Entry.Name, "p",
		messages.Number(first.Truth()))
}

// sortedBy explains how a board is sorted, and how a word of several tokens is scored.
func (p *View) sortedBy(b exhibit.Board) []string {
	id := "race.sorted.known"
	if b.Word == "" {
		id = "race.sorted.unknown"
	}
	all := []string{p.T(id)}
	if n := b.Last - b.First; n > 1 {
		all = append(all, p.T("race.pieces", "pieces", n))
	}
	return all
}

// raceNotes returns notes about the models' predictions.
func (p *View) raceNotes(b exhibit.Board) (all []string) {
	var next []messages.Message
	for _, r := range b.Racers {
		if r.Next() {
			next = append(next, r.Entry.Name)
		}
	}
	if len(next) > 0 {
		all = append(all, p.T("race.left", "names", messages.Join(", ", next...)))
	}
	if p.State.Mask == nn.Causal {
		all = append(all, p.T("race.causal"))
	}
	return all
}

// racerRow returns a model at its rank, without its prediction.
func (p *View) racerRow(id string, place int) components.RaceRow {
	name := p.Name(id)
	return components.RaceRow{ID: id, Name: name, Place: place, Chosen: slices.Contains(p.State.Mechanisms, id),
		To: p.cardLink(id, name)}
}

// raceRow is one model of a board.
func (p *View) raceRow(b exhibit.Board, racer exhibit.Racer) components.RaceRow {
	row := p.racerRow(racer.ID, racer.Place)
	row.Guess = wordProb(racer.Guess, racer.Top())
	row.Guess.Right = b.Word != "" && racer.Right()
	if b.Word != "" {
		row.Truth = wordProb(b.Word, racer.Truth())
		row.Rank, row.Ranks = worstRank(racer.Pieces)
	}
	if m := racer.Model; m != nil {
		row.Loss = strconv.FormatFloat(m.Loss, 'f', 2, 64)
		row.LossHelp = p.T("race.loss.next")
		if racer.Usual > 0 {
			row.LossHelp = p.T("race.loss.hidden", "place", racer.Usual)
		}
	}
	return row
}

// worstRank returns the rank of the worst token of a word, followed by the ranks of all its tokens.
func worstRank(pieces []predict.Guessed) (worst, all string) {
	var ranks []string
	most := 0
	for _, g := range pieces {
		most = max(most, g.Rank)
		ranks = append(ranks, messages.Grouped(g.Rank))
	}
	return messages.Grouped(most), strings.Join(ranks, " · ")
}

// cardLink returns the link that adds a model's card to the page, or moves to it.
func (p *View) cardLink(id, name string) components.Link {
	if slices.Contains(p.State.Mechanisms, id) {
		return components.Link{Hint: p.T("race.to-card", "name", name), URL: "#card-" + id}
	}
	st := p.State
	st.Mechanisms = append(slices.Clone(st.Mechanisms), id)
	return components.Link{Hint: p.T("race.add-card", "name", name), URL: p.URL(st)}
}

// outOfRace lists the models that make no prediction, grouped by reason.
func (p *View) outOfRace(list []engine.Result) []string {
	var reasons []string
	names := map[string][]messages.Message{}
	for i := range list {
		m := &list[i]
		if m.Err == nil {
			continue
		}
		p.Site.LogUnforeseen(p.Request, m.Err)
		why := site.FullStop(p.Say(site.MessageOf(m.Err)))
		if names[why] == nil {
			reasons = append(reasons, why)
		}
		name := messages.Text(site.Clean(m.ID))
		if m.Entry != nil {
			name = m.Entry.Name
		}
		names[why] = append(names[why], name)
	}
	var all []string
	for _, why := range reasons {
		all = append(all, site.Clean(p.T("race.out", "names", messages.Join(", ", names[why]...), "why", why)))
	}
	return all
}

// mostSuggesting is the number of models that are asked for a word on which they disagree.
const mostSuggesting = 4

// suggest says how to mask a word, and which: the content word on which models of the page disagree most, if that
// takes little time to find.
func (p *View) suggest(ctx context.Context, r *components.Race) {
	r.Says = p.T("race.choose")
	st := p.State
	st.Race = address.EveryWord
	ids := p.State.Mechanisms[:min(len(p.State.Mechanisms), mostSuggesting)]
	asked := st.Contest(p.Site.Vocab, ids)
	if !p.Site.Inspector.Soon(ctx, asked) {
		p.suggestAny(r)
		return
	}
	report, err := p.Site.Report(ctx, asked, p.Site.Inspector.Inspect)
	if err != nil {
		p.suggestAny(r)
		return
	}
	boards := slices.DeleteFunc(exhibit.Boards(report), func(b exhibit.Board) bool {
		return !exhibit.IsContent(report.Text, wordAt(report, b.First, b.Last))
	})
	b := exhibit.Disputed(boards)
	if b == nil || len(b.Racers) < 2 {
		p.suggestAny(r)
		return
	}
	next, ok := p.State.HideWord(p.Site.Vocab, wordAt(report, b.First, b.Last))
	if !ok {
		return
	}
	first, last := b.Racers[0], b.Racers[len(b.Racers)-1]
	r.Tries = append(r.Tries, components.Link{
		Label: p.T("try.hide.label", "word", b.Word), URL: p.URL(next.Untold()),
		Hint: p.T("race.disputed", "first", first.Entry.Name, "most", messages.Number(first.Truth()), "last", last.Entry.Name,
			"least", messages.Number(last.Truth())),
	})
}

// suggestAny suggests a content word.
func (p *View) suggestAny(r *components.Race) {
	if word, st, ok := p.hideOne(p.State); ok {
		r.Tries = append(r.Tries, components.Link{Label: p.T("try.hide.label", "word", word), URL: p.URL(st.Untold())})
	}
}

// raceInstead opens the board of the example about masked words instead of the first text, whose words are hard to
// predict. For another text, and for other models, it is as raceOne.
func (p *View) raceInstead(st address.State) (address.State, bool) {
	at, all, ok := scene.Example("a-race")
	if !ok || p.Site.Own || p.Typed != scene.First.Text {
		return p.raceOne(st)
	}
	return p.ExampleState(all[at]), true
}

// raceOne opens the board of a masked word, or of one that can be masked.
func (p *View) raceOne(st address.State) (address.State, bool) {
	if st.Race != 0 {
		return st, false
	}
	ok := true
	if st.HiddenCount(p.Site.Vocab) == 0 {
		_, st, ok = p.hideOne(st)
	}
	st.Race = 1
	return st, ok
}
