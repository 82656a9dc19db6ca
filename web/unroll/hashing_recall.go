package unroll

import (
	"fmt"
	"strconv"

	"attnatlas/components"
	"attnatlas/engine/messages"
	"attnatlas/engine/unroll"
)

// recall returns the frame with the share of the most attended tokens that hashing finds.
func (p *hashingPage) recall() (Frame, error) {
	m, err := p.pairs("full", p.found.Full, nil)
	if err != nil {
		return Frame{}, err
	}
	chips, group := []Chip(nil), ChipGroup{Label: p.Language.T("hashing.most", "word", p.label(p.Word-1))}
	hits := 0
	for _, w := range p.found.Words[p.Word-1] {
		id := "missed"
		if w.Found {
			id, hits = "found", hits+1
		}
		chips = append(chips, Chip{Label: p.label(w.Word), Hue: -1, Class: p.Language.T("hashing." + id), Faint: !w.Found,
			Title: p.Language.T("hashing.weight", "weight", messages.Number(float64(w.Weight)))})
	}
	group.Chips, group.Say = chips, p.Language.T("hashing.hits", "hits", hits, "count", len(chips))
	now := p.found.Recall[p.found.Rounds-1].Recall
	var rows [][]string
	for _, r := range p.found.Recall {
		rows = append(rows, []string{strconv.Itoa(r.Rounds), messages.WholePercent(r.Recall), messages.WholePercent(r.Mean),
			messages.WholePercent(r.Least), messages.WholePercent(r.Most)})
	}
	table := TableOf(p.Language.T("hashing.table"), p.Language.Lines(messages.New("hashing.columns")), rows)
	body := Stacked(ChipGroups([]ChipGroup{group}), PlotOf(p.curve(), table), Sketches([]NamedMap{m}))
	return p.frame("recall", body, "k", p.found.Top, "recall", messages.WholePercent(now)), nil
}

// curve returns the plot of recall against the number of rounds.
func (p *hashingPage) curve() components.Plot {
	plot := components.Plot{ID: "hash-curve", Title: p.Language.T("hashing.curve.title"),
		Label: p.Language.T("hashing.curve.label"), XTitle: p.Language.T("hashing.curve.x"),
		YTitle: p.Language.T("hashing.curve.y")}
	x := func(rounds int) float64 { return float64(rounds-1) / float64(unroll.MostRounds-1) }
	lines := []components.PlotLine{{Class: "formula"}, {Class: "other"}, {Class: "other"},
		{Class: "chosen", Name: p.Language.T("hashing.curve.seed"), Below: true}}
	for _, r := range p.found.Recall {
		plot.X = append(plot.X, components.Tick{Place: x(r.Rounds), Label: strconv.Itoa(r.Rounds)})
		for i, value := range []float64{r.Mean, r.Least, r.Most, r.Recall} {
			lines[i].Points = append(lines[i].Points, components.PlotPoint{X: x(r.Rounds), Y: value})
		}
		class := "chosen"
		if r.Rounds == p.found.Rounds {
			class = "own"
		}
		plot.Dots = append(plot.Dots, components.PlotDot{PlotPoint: components.PlotPoint{X: x(r.Rounds), Y: r.Recall},
			Class: class, Says: fmt.Sprintf("%d: %s", r.Rounds, messages.WholePercent(r.Recall))})
	}
	for share := 0.0; share <= 1; share += 0.25 {
		plot.Y = append(plot.Y, components.Tick{Place: share, Label: messages.WholePercent(share)})
	}
	plot.Lines = lines
	return plot
}
