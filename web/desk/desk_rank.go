package desk

import (
	"math"
	"strconv"

	"attnatlas/components"
	"attnatlas/engine/messages"
)

// ranks fills in the playground for the rank of learned scores.
func (p *deskPage) ranks(v *pageView, name string) {
	values, n := singularOf(p.Learned, p.state.Layer, p.head), len(p.labels)
	most := len(values)
	rank := p.rank(most)
	v.Heading, v.Lead = p.l.T("desk.rank.heading", "name", name), p.l.T("desk.rank.lead", "name", name)
	v.Form.Legend, v.Form.Note = p.l.T("desk.rank.legend"), p.l.T("desk.rank.note", "words", n, "half",
		formatRank(float64(n)/2))
	whole := n * n
	if len(p.entry.Table) > 1 { // two factors
		v.Form.Note, whole = p.l.T("desk.rank.note-factors", "words", n, "most", most), 2*n*most
	}
	v.Form.Dials = []Dial{{
		ID: "desk-rank", Key: Rank, Label: p.l.T("desk.rank.label"), Value: strconv.Itoa(rank), Says: strconv.Itoa(rank),
		From: "1", To: strconv.Itoa(most), Step: "1", Learned: 1, LearnedSays: p.l.T("desk.rank.learned", "most", most),
		Most: true,
	}}
	if p.asked.Rank != 0 {
		v.Form.Reset = components.Link{Label: p.l.T("desk.reset"), URL: p.url(p.state, change{ID: p.asked.ID})}
	}
	v.Says = append(v.Says, p.l.T("desk.rank.energy", "layer", p.state.Layer, "head", p.head, "rank", rank, "energy",
		messages.Percent(energy(values, rank)), "numbers", 2*n*rank, "all", whole))
	v.Plot = p.spectrum(values, rank)
	v.Table = p.energyTable(rank)
}

// rank returns the displayed rank; most is the full rank.
func (p *deskPage) rank(most int) int {
	if !p.changed() || p.asked.Rank == 0 {
		return most
	}
	return p.asked.Rank
}

// formatRank formats a number that can have a half.
func formatRank(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// energy returns the share of the sum of squares in the first values.
func energy(values []float64, first int) float64 {
	kept, all := 0.0, 0.0
	for i, v := range values {
		if all += v * v; i < first {
			kept += v * v
		}
	}
	if all == 0 {
		return 1
	}
	return kept / all
}

// spectrum returns the curve of singular values, with the position of the dial.
func (p *deskPage) spectrum(values []float64, rank int) *components.Plot {
	most, largest := len(values), values[0]
	across := func(i int) float64 { return (float64(i) + 0.5) / float64(most) } // of value i, from 0
	up := func(v float64) float64 { return v / max(largest, math.SmallestNonzeroFloat64) }
	plot := &components.Plot{
		ID: "desk-spectrum", Title: p.l.T("desk.rank.spectrum", "layer", p.state.Layer, "head", p.head),
		Label: p.l.T("desk.rank.spectrum-label", "layer", p.state.Layer, "head", p.head, "largest", messages.Number(largest),
			"least", messages.Number(values[most-1]),
			"rank", rank, "energy", messages.Percent(energy(values, rank))),
		XTitle: p.l.T("desk.rank.x"), YTitle: p.l.T("desk.rank.y"),
		Mark: &components.Tick{Place: float64(rank) / float64(most), Label: p.l.T("desk.rank.here", "rank", rank)},
		Y: []components.Tick{{Place: 0, Label: "0"}, {Place: 0.5, Label: messages.Number(largest / 2)},
			{Place: 1, Label: messages.Number(largest)}},
	}
	line := components.PlotLine{Mechanism: p.asked.ID, Class: "other"}
	every := max(1, (most+9)/10)
	for i, v := range values {
		at := components.PlotPoint{X: across(i), Y: up(v)}
		class := "chosen"
		if i >= rank {
			class = "other"
		}
		line.Points = append(line.Points, at)
		plot.Dots = append(plot.Dots, components.PlotDot{PlotPoint: at, Mechanism: p.asked.ID, Class: class,
			Says: p.l.T("desk.rank.value", "number", i+1, "value", messages.Number(v))})
		if (i+1)%every == 0 || i == 0 {
			plot.X = append(plot.X, components.Tick{Place: at.X, Label: strconv.Itoa(i + 1)})
		}
	}
	plot.Lines = []components.PlotLine{line}
	return plot
}

// energyTable returns the share that a rank keeps in every layer and head.
func (p *deskPage) energyTable(rank int) NamedTable {
	table := NamedTable{Title: p.l.T("desk.rank.table"), Intro: p.l.T("desk.rank.table-intro", "rank", rank),
		Head: []string{p.l.T("desk.rank.layer-title")}}
	for h := range p.Learned.Heads {
		table.Head = append(table.Head, p.l.T("desk.rank.head", "head", h+1))
	}
	for i, heads := range p.Learned.Spectra {
		st := p.state
		st.Layer = i + 1
		row := tableLine{Link: components.Link{Label: p.l.T("desk.rank.layer", "layer", i+1), URL: p.url(st, p.asked)},
			Current: i+1 == p.state.Layer}
		for _, values := range heads {
			row.Cells = append(row.Cells, Value{Text: messages.Percent(energy(values, rank))})
		}
		table.Rows = append(table.Rows, row)
	}
	return table
}
