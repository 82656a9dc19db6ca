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
	report, err := p.s.race(ctx, p.state, p.s.racers(p.state.Mechanisms))
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
	r.Says = p.t("race.score", "count", first.Words, "first", first.Entry.Name, "most", first.Right, "last", last.Entry.Name, "least", last.Right)
	r.Notes = append([]string{p.t("race.sorted.turns")}, p.raceNotes(boards[0])...)
	for _, b := range boards {
		r.Turns.Words = append(r.Turns.Words, p.raceColumn(report, b))
	}
	for i, s := range scores {
		r.Turns.Rows = append(r.Turns.Rows, p.raceScore(s, i+1))
	}
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
		RaceRow:  components.RaceRow{ID: s.ID, Name: p.name(s.ID), Place: place, Chosen: slices.Contains(p.state.Mechanisms, s.ID)},
		Right:    p.t("race.of", "right", s.Right, "words", s.Words),
		Surprise: strconv.FormatFloat(s.Surprise, 'f', 2, 64),
	}
	row.To = p.cardLink(s.ID, row.Name)
	for _, a := range s.Attempts {
		row.Cells = append(row.Cells, components.RaceCell{
			Share: a.Truth(), Right: a.Right(),
			Says: p.t("race.cell", "guess", exhibit.GuessOf(a), "p", messages.Number(a.Top()), "hidden", messages.Number(a.Truth())),
		})
	}
	return row
}
