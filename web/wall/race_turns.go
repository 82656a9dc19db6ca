package wall

import (
	"context"
	"slices"
	"strconv"

	"attnatlas/components"
	"attnatlas/engine"
	"attnatlas/engine/exhibit"
	"attnatlas/engine/messages"
	"attnatlas/engine/tokenizer"
	"attnatlas/web/site"
)

// raceInTurns describes how well all models predict the words of the page's text, each masked in turn.
func (p *View) raceInTurns(ctx context.Context, r *components.Race) {
	st := p.State
	st.Race = 1
	r.Every = components.Link{Label: p.T("race.single"), Hint: p.T("race.single-help"), URL: p.URL(st)}
	ids := p.Site.racers(p.State.Mechanisms)
	waiting := p.notYet(ctx, ids)
	if p.Waits {
		bound, cancel := mostOf(ctx)
		defer cancel()
		ctx = bound
	}
	report, err := p.Site.race(ctx, p.State, slices.DeleteFunc(slices.Clone(ids),
		func(id string) bool { return slices.Contains(waiting, id) }))
	if err != nil {
		r.Says = site.FullStop(p.Say(site.MessageOf(err)))
		return
	}
	r.Out = p.outOfRace(report.Mechanisms)
	scores, boards := exhibit.Scores(report), exhibit.Boards(report)
	if len(scores) == 0 {
		r.Says = p.T("race.nobody")
		return
	}
	first, last := scores[0], scores[len(scores)-1]
	id := "race.score"
	if len(waiting) > 0 {
		if id = "race.so-far"; len(scores) == 1 {
			id = "race.so-far-one"
		}
		r.Turns.Progress = components.RaceProgress{Done: len(scores), All: len(scores) + len(waiting), URL: p.URL(p.State)}
	}
	r.Says = p.T(id, "count", first.Words, "first", first.Entry.Name, "most", first.Right, "last", last.Entry.Name,
		"least", last.Right)
	r.Notes = append([]string{p.T("race.sorted.turns")}, p.raceNotes(boards[0])...)
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

// notYet returns the models that the page does not wait for. Predicting every word takes a model as many passes as
// there are words. Scripts ask for the board again until it is complete; a page that waits has it complete at once.
func (p *View) notYet(ctx context.Context, ids []string) []string {
	if p.Waits {
		return nil
	}
	writes := func(id string) bool { return p.Site.Find(id).Generates() } // such a model refuses at once
	return p.Site.Inspector.DeferredMechanisms(ctx,
		p.State.Contest(p.Site.Vocab, slices.DeleteFunc(slices.Clone(ids), writes)))
}

// wordAt returns a word of a report's text.
func wordAt(r *engine.Report, first, last int) tokenizer.Cell {
	return tokenizer.Cell{First: first, Last: last, Start: r.Tokens[first].Start, End: r.Tokens[last-1].End}
}

// raceColumn is a word, with the link to the board on which it alone is masked.
func (p *View) raceColumn(r *engine.Report, b exhibit.Board) components.RaceColumn {
	word := wordAt(r, b.First, b.Last)
	st := p.State
	st.Text, st.Was = r.Text, nil
	st, _ = st.HideWord(p.Site.Vocab, word)
	label := tokenizer.Visible(r.Text[word.Start:word.End])
	return components.RaceColumn{
		Link: components.Link{Label: site.Clean(label), Hint: site.Clean(p.T("strip.hide", "word", label)),
			URL: p.URL(st.Untold())},
		Right: strconv.Itoa(b.Right()),
	}
}

// raceScore is the score of one model.
func (p *View) raceScore(s exhibit.Score, place int) components.RaceScore {
	row := components.RaceScore{
		RaceRow:  p.racerRow(s.ID, place),
		Right:    p.T("race.of", "right", s.Right, "words", s.Words),
		Surprise: strconv.FormatFloat(s.Surprise, 'f', 2, 64),
	}
	for _, a := range s.Attempts {
		row.Cells = append(row.Cells, components.RaceCell{
			Share: a.Truth(), Right: a.Right(),
			Says: p.T("race.cell", "guess", exhibit.GuessOf(a), "p", messages.Number(a.Top()), "hidden",
				messages.Number(a.Truth())),
		})
	}
	return row
}
