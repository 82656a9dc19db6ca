package web

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"attnatlas/components"
	"attnatlas/engine/exhibit"
	"attnatlas/engine/figure"
	"attnatlas/engine/tokenizer"
	"attnatlas/web/address"
)

// Sizes of a drawing of arcs, in hundredths of its side; static/js/arcs.js has the same.
const (
	arcEnd   = 64   // where arcs end and words begin
	arcWide  = 5    // the widest
	arcThin  = 0.08 // what is thinner is not drawn
	wordRoom = 4.2  // between labels
)

// arch draws a card's map as arcs where the page does, and says in its legend what they are.
func (p *page) arch(m *components.Map, x *exhibit.Exhibit) {
	if p.state.Draw != address.Arcs {
		return
	}
	id := "arcs.none"
	if arched(x) {
		m.Arcs, id = p.arcs(x), "arcs.legend"
		if p.state.Pin.Row == 0 {
			id = "arcs.all"
		}
	}
	m.Legend.Title = p.t(id, "legend", m.Legend.Title)
}

// arched says that a map of words and words has amounts.
func arched(x *exhibit.Exhibit) bool { return x.Layout.Form == figure.Heatmap && x.Amounts() }

// arcs are the row of a map that is pinned, or of each row the largest.
func (p *page) arcs(x *exhibit.Exhibit) components.Arcs {
	g, row := x.Grid(), p.state.Pin.Row-1
	a := components.Arcs{On: true}
	for _, l := range linesOf(x, row) {
		if wide := arcWide * l.share; wide >= arcThin {
			a.Lines = append(a.Lines, components.Arc{Path: arcPath(l.row, l.col, g.Rows), Width: short(wide), Negative: l.negative})
		}
	}
	words, order := tokenizer.Labels(p.sel.Report.Tokens), make([]float64, g.Cols)
	for c := range g.Cols {
		word := components.ArcWord{Y: short(placeOf(c, g.Cols)), Top: short(float64(c) * 100 / float64(g.Cols)), Height: short(100 / float64(g.Cols))}
		if row >= 0 {
			order[c] = -math.Abs(float64(x.Map.Value.At(row, c)))
			word.Fill, _ = p.colour(x, p.state.Cmap, [2]int{row, c})
		}
		a.Words = append(a.Words, word)
	}
	for _, c := range labelled(order) {
		a.Words[c].Text = components.Shorten(words[c], 12)
	}
	return a
}

// line is an arc: share is its part of the widest.
type line struct {
	row, col int
	share    float64
	negative bool
}

// linesOf are those of a row, or for a row below 0 the largest of each row.
func linesOf(x *exhibit.Exhibit, row int) []line {
	var list []line
	for r := range x.Grid().Rows {
		switch own := rowLines(x, r); {
		case row < 0:
			list = append(list, own[:min(1, len(own))]...)
		case r == row:
			list = own
		}
	}
	top := 0.0
	for _, l := range list {
		top = max(top, l.share)
	}
	for i := range list {
		list[i].share /= top
	}
	return list
}

// rowLines are those of a row, the largest first, with their sizes.
func rowLines(x *exhibit.Exhibit, row int) []line {
	var list []line
	g := x.Grid()
	for c := range g.Cols {
		if class := g.Class[row*g.Cols+c]; class == figure.Value || class == figure.Tiny {
			v := float64(x.Map.Value.At(row, c))
			list = append(list, line{row, c, math.Abs(v), v < 0})
		}
	}
	slices.SortStableFunc(list, func(a, b line) int { return cmp.Compare(b.share, a.share) })
	return list
}

// placeOf is the middle of position i of n.
func placeOf(i, n int) float64 { return (float64(i) + 0.5) * 100 / float64(n) }

func short(v float64) string { return strconv.FormatFloat(math.Round(v*100)/100, 'f', -1, 64) }

func arcPath(row, col, n int) string {
	from, to, bend, end := short(placeOf(row, n)), short(placeOf(col, n)), short(arcEnd/2), short(arcEnd)
	return "M0 " + from + "C" + bend + " " + from + " " + bend + " " + to + " " + end + " " + to
}

// labelled are the positions whose words have room: first those that are first in the order.
func labelled(order []float64) []int {
	all := make([]int, len(order))
	for i := range all {
		all[i] = i
	}
	slices.SortStableFunc(all, func(a, b int) int { return cmp.Compare(order[a], order[b]) })
	var list []int
	for _, i := range all {
		near := func(j int) bool { return math.Abs(placeOf(i, len(order))-placeOf(j, len(order))) < wordRoom }
		if !slices.ContainsFunc(list, near) {
			list = append(list, i)
		}
	}
	return list
}
