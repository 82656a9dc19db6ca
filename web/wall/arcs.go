package wall

import (
	"math"
	"strconv"

	"attnatlas/components"
	"attnatlas/engine/exhibit"
	"attnatlas/engine/figure"
	"attnatlas/engine/tokenizer"
	"attnatlas/web/address"
)

// arcForm holds where arcs end, the room between the words at the right side in hundredths of the drawing's side, and
// the room for their letters. static/js/arcs.js has the same numbers. In presentations the words are large.
type arcForm struct {
	end, room float64
	chars     int
}

func (p *View) arcForm() arcForm {
	if p.State.Present {
		return arcForm{46, 11, 9}
	}
	return arcForm{100 * figure.ArcEnd, 4.2, 12}
}

// arch draws a card's map as arcs if the page does, and explains the arcs in its legend.
func (p *View) arch(m *components.Map, x *exhibit.Exhibit) {
	if p.State.Draw != address.Arcs {
		return
	}
	id := "arcs.none"
	if x.Arched() {
		m.Arcs, id = p.arcs(x), "arcs.legend"
		if p.State.Pin.Row == 0 {
			id = "arcs.all"
		}
	}
	m.Legend.Title = p.T(id, "legend", m.Legend.Title)
}

// arcs returns the arcs of the pinned row of a map, or the largest value of each row if none is pinned.
func (p *View) arcs(x *exhibit.Exhibit) components.Arcs {
	g, row, form := x.Grid(), p.State.Pin.Row-1, p.arcForm()
	if spans := p.Sel.Report.Aligned(x.Result); spans != nil && row >= 0 {
		row = spans[row].First
	}
	a := components.Arcs{On: true, CellsAt: short(form.end + 0.5), WordsAt: short(form.end + 5)}
	for _, l := range figure.ArcsOf(g, x.Map, row) {
		a.Lines = append(a.Lines, components.Arc{Path: arcPath(l.Row, l.Col, g.Rows, form.end),
			Width: short(100 * figure.ArcWide * l.Share), Negative: l.Negative})
	}
	words, order := tokenizer.Labels(p.Sel.Report.TokensOf(x.Result)), make([]float64, g.Cols)
	for c := range g.Cols {
		word := components.ArcWord{Y: short(placeOf(c, g.Cols)), Top: short(float64(c) * 100 / float64(g.Cols)),
			Height: short(100 / float64(g.Cols))}
		if row >= 0 {
			order[c] = -math.Abs(float64(x.Map.Value.At(row, c)))
			word.Fill, _ = p.colour(x, p.State.Cmap, [2]int{row, c})
		}
		a.Words = append(a.Words, word)
	}
	for _, c := range figure.ArcLabels(order, form.room*float64(g.Cols)/100) {
		a.Words[c].Text = components.Shorten(words[c], form.chars)
	}
	return a
}

// placeOf returns the middle of position i of n.
func placeOf(i, n int) float64 { return (float64(i) + 0.5) * 100 / float64(n) }

func short(v float64) string { return strconv.FormatFloat(math.Round(v*100)/100, 'f', -1, 64) }

func arcPath(row, col, n int, ends float64) string {
	from, to, bend, end := short(placeOf(row, n)), short(placeOf(col, n)), short(ends/2), short(ends)
	return "M0 " + from + "C" + bend + " " + from + " " + bend + " " + to + " " + end + " " + to
}
