package web

import (
	"context"
	"slices"
	"strconv"

	"attnatlas/components"
	"attnatlas/engine"
	"attnatlas/engine/exhibit"
	"attnatlas/engine/messages"
	"attnatlas/engine/tokenizer"
)

// raceInTurns tells how all models guess the words of the page's text, each hidden in its turn.
func (p *page) raceInTurns(ctx context.Context, r *components.Race) {
	st := p.state
	st.Race = 1
	r.Every = components.Link{Label: p.t("race.single"), Hint: p.t("race.single-help"), URL: p.url(st)}
	ids := p.s.racers(p.state.Mechanisms)
	waiting := p.notYet(ids)
	if p.waits {
		bound, cancel := mostOf(ctx)
		defer cancel()
		ctx = bound
	}
	report, err := p.s.race(ctx, p.state, slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return slices.Contains(waiting, id) }))
	if err != nil {
		r.Says = fullStop(p.say(messageOf(err)))
		return
	}
	r.Out = p.outOfRace(report.Mechanisms)
	scores, boards := exhibit.Scores(report), exhibit.Boards(report)
	if len(scores) == 0 {
		r.Says = p.t("race.nobody")
		return
	}
	first, last := scores[0], scores[len(scores)-1]
	id := "race.score"
	if len(waiting) > 0 {
		if id = "race.so-far"; len(scores) == 1 {
			id = "race.so-far-one"
		}
		r.Turns.Progress = components.RaceProgress{Done: len(scores), All: len(scores) + len(waiting), URL: p.url(p.state)}
	}
	r.Says = p.t(id, "count", first.Words, "first", first.Entry.Name, "most", first.Right, "last", last.Entry.Name, "least", last.Right)
	r.Notes = append([]string{p.t("race.sorted.turns")}, p.raceNotes(boards[0])...)
	for _, b := range boards {
		r.Turns.Words = append(r.Turns.Words, p.raceColumn(report, b))
	}
	for i, s := range scores {
		r.Turns.Rows = append(r.Turns.Rows, p.raceScore(s, i+1))
	}
	for _, id := range waiting {
		r.Turns.Waiting = append(r.Turns.Waiting, p.racerRow(id, 0))
	}
}

// notYet are those of the models that the page does not wait for: a guess at every word takes each of them as many passes
// as there are words. Scripts ask for the board again until it is whole; who waits has it whole at once.
func (p *page) notYet(ids []string) []string {
	if p.waits {
		return nil
	}
	writes := func(id string) bool { return p.s.find(id).generates() } // it says at once that it does not guess
	return p.s.inspector.later(p.state.Contest(p.s.vocab, slices.DeleteFunc(slices.Clone(ids), writes)))
}

// wordAt is a word of a report's text.
func wordAt(r *engine.Report, first, last int) tokenizer.Cell {
	return tokenizer.Cell{First: first, Last: last, Start: r.Tokens[first].Start, End: r.Tokens[last-1].End}
}

// raceColumn is a word, with the board on which it alone is hidden.
func (p *page) raceColumn(r *engine.Report, b exhibit.Board) components.RaceColumn {
	word := wordAt(r, b.First, b.Last)
	st := p.state
	st.Text, st.Was = r.Text, nil
	st, _ = st.HideWord(p.s.vocab, word)
	label := tokenizer.Visible(r.Text[word.Start:word.End])
	return components.RaceColumn{
		Link:  components.Link{Label: clean(label), Hint: clean(p.t("strip.hide", "word", label)), URL: p.url(st.Untold())},
		Right: strconv.Itoa(b.Right()),
	}
}

// raceScore is one model.
func (p *page) raceScore(s exhibit.Score, place int) components.RaceScore {
	row := components.RaceScore{
		RaceRow:  p.racerRow(s.ID, place),
		Right:    p.t("race.of", "right", s.Right, "words", s.Words),
		Surprise: strconv.FormatFloat(s.Surprise, 'f', 2, 64),
	}
	for _, a := range s.Attempts {
		row.Cells = append(row.Cells, components.RaceCell{
			Share: a.Truth(), Right: a.Right(),
			Says: p.t("race.cell", "guess", exhibit.GuessOf(a), "p", messages.Number(a.Top()), "hidden", messages.Number(a.Truth())),
		})
	}
	return row
}
