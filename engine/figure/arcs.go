package figure

import (
	"cmp"
	"image"
	"image/color"
	"math"
	"slices"

	"attnatlas/engine/messages"
	"attnatlas/engine/trace"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Arcs selects a drawing of a query–key map as lines from attending tokens to the tokens they
// attend to, instead of cells.
type Arcs struct {
	On  bool
	Row int // row whose lines are drawn, from 1; 0: the widest line of each row
}

// Arc is a line from the token of a row to the token of a column.
type Arc struct {
	Row, Col int     // from 0
	Share    float64 // width as a fraction of the widest line, 0…1
	Negative bool
}

// Dimensions of a drawing of arcs, as fractions of its side; static/js/arcs.js has the same.
const (
	ArcEnd  = 0.64   // where arcs end
	ArcWide = 0.05   // the widest
	ArcThin = 0.0008 // thinner lines are not drawn

	arcSwatch = 0.645 // left edge and width of the colour swatches of the column tokens
	arcStripe = 0.03
	arcWords  = 0.69
)

// ArcsOf returns the lines of a row (from 0), the widest first. For a row below 0 it returns the
// widest line of each row. Only cells with a visible amount give a line.
func ArcsOf(g *Grid, m trace.Map, row int) []Arc {
	var list []Arc
	for r := range g.Rows {
		switch own := rowArcs(g, m, r); {
		case row < 0:
			list = append(list, own[:min(1, len(own))]...)
		case r == row:
			list = own
		}
	}
	top := 0.0
	for _, a := range list {
		top = max(top, a.Share)
	}
	if top == 0 {
		return nil // no line has a width
	}
	for i := range list {
		list[i].Share /= top
	}
	return slices.DeleteFunc(list, func(a Arc) bool { return ArcWide*a.Share < ArcThin })
}

// rowArcs returns the lines of a row with their sizes, the largest first.
func rowArcs(g *Grid, m trace.Map, row int) []Arc {
	var list []Arc
	for c := range g.Cols {
		if class := g.Class[row*g.Cols+c]; class == Value || class == Tiny {
			v := float64(m.Value.At(row, c))
			list = append(list, Arc{row, c, math.Abs(v), v < 0})
		}
	}
	slices.SortStableFunc(list, func(a, b Arc) int { return cmp.Compare(b.Share, a.Share) })
	return list
}

// ArcLabels returns the positions whose labels fit when labels must be at least apart positions
// from each other. Positions earlier in order are placed first.
func ArcLabels(order []float64, apart float64) []int {
	all := make([]int, len(order))
	for i := range all {
		all[i] = i
	}
	slices.SortStableFunc(all, func(a, b int) int { return cmp.Compare(order[a], order[b]) })
	var list []int
	for _, i := range all {
		near := func(j int) bool { return math.Abs(float64(i-j)) < apart }
		if !slices.ContainsFunc(list, near) {
			list = append(list, i)
		}
	}
	return list
}

// row returns the row whose lines are drawn, from 0, or a number below 0 for the widest line of
// each row.
func (a Arcs) row(g *Grid) int {
	if a.Row > g.Rows {
		return -1
	}
	return a.Row - 1
}

// arcsPlot returns the plot of arcs: attending tokens on the left, attended tokens on the right.
func (p *page) arcsPlot() *plot.Plot {
	b := p.plain()
	b.X.Min, b.X.Max, b.Y.Min, b.Y.Max = 0, 1, 0, float64(p.grid.Rows)
	p.positions(&b.Y, rowSide, p.spec.labelsOf(rowSide, p.grid.Rows), p.cell.Y)
	b.Y.Scale = plot.InvertedScale{Normalizer: plot.LinearScale{}} // row 0 on top
	p.columns = columns{title: p.spec.say(Title(p.spec.axis(columnSide))) + " ↓", from: arcWords}
	b.Add(arcs{p})
	return b
}

// arcs is the plotter that draws the lines and the labels of the attended tokens.
type arcs struct{ *page }

// Plot draws the lines and the labels. The widest lines come first, so that no line is hidden.
func (a arcs) Plot(c draw.Canvas, plt *plot.Plot) {
	s, ok := surfaceOf(c)
	if !ok {
		return
	}
	toX, toY := plt.Transforms(&c)
	at := func(x float64, i int) vg.Point { return vg.Point{X: toX(x), Y: toY(float64(i) + 0.5)} }
	row, side := a.spec.Arcs.row(a.grid), float64(toX(1)-toX(0))
	lines := ArcsOf(a.grid, a.spec.Map, row)
	slices.SortStableFunc(lines, func(a, b Arc) int { return cmp.Compare(b.Share, a.Share) })
	for _, l := range lines {
		var path vg.Path
		path.Move(at(0, l.Row))
		path.CubeTo(at(ArcEnd/2, l.Row), at(ArcEnd/2, l.Col), at(ArcEnd, l.Col))
		c.SetLineStyle(draw.LineStyle{Color: a.stroke(l), Width: vg.Length(ArcWide * l.Share * side)})
		c.Stroke(path)
	}
	corner := corner(s, c)
	order := make([]float64, a.grid.Cols)
	if row >= 0 {
		for col := range order {
			order[col] = -math.Abs(float64(a.spec.Map.Value.At(row, col)))
			a.stripe(s, corner, row, col, side)
		}
	}
	a.read(s, corner, order, side)
}

// stroke returns the colour of a line, mixed with the colour of the paper as on a page.
func (a arcs) stroke(l Arc) color.RGBA {
	ink, paper := a.colours.Reads, a.colours.Paper
	if l.Negative {
		ink = a.colours.IsRead
	}
	mix := func(a, b uint8) uint8 { return uint8(math.Round(0.7*float64(a) + 0.3*float64(b))) }
	return rgb(mix(ink.R, paper.R), mix(ink.G, paper.G), mix(ink.B, paper.B))
}

// stripe paints the colour of the row's cell next to the label of an attended token.
func (a arcs) stripe(s surface, corner image.Point, row, col int, side float64) {
	i := row*a.grid.Cols + col
	left := corner.X + int(math.Round(arcSwatch*side))
	box := image.Rect(left, corner.Y+col*a.cell.Y, left+max(2, int(math.Round(arcStripe*side))), corner.Y+(col+1)*a.cell.Y)
	s.example(a.brush(), swatch{note{index: a.grid.Index[i], class: a.grid.Class[i]}, box})
}

// read sets the labels of the attended tokens that fit.
func (a arcs) read(s surface, corner image.Point, order []float64, side float64) {
	st := a.style(min(12, max(9.5, float64(a.cell.Y)/a.factor-1.5)), a.colours.Text)
	st.XAlign, st.YAlign = draw.XLeft, draw.YCenter
	up, down := a.h.vertical(float64(st.Font.Size))
	labels := a.spec.labelsOf(columnSide, a.grid.Cols)
	for _, col := range ArcLabels(order, (up+down)*0.9/float64(a.cell.Y)) {
		text := a.h.wrap(labels[col], st, (1-arcWords)*side, 1)
		if len(text) == 0 {
			continue
		}
		// The offset matches the labels that gonum sets on the left.
		x, y := float64(corner.X)+arcWords*side, float64(corner.Y)+(float64(col)+0.5)*float64(a.cell.Y)-down
		a.h.Draw(s, text[0], st, vg.Point{X: vg.Length(x), Y: vg.Length(s.tall() - y)})
	}
}

// legend returns the grid's legend, with an explanation of arcs where they are drawn. Arcs of all
// rows have no colours.
func (s *Spec) legend(g *Grid) Legend {
	l := g.Legend()
	if !s.Arcs.On {
		return l
	}
	row := s.Arcs.row(g)
	if row < 0 {
		return Legend{Text: messages.New("arcs.figure-all", "noun", g.noun)}
	}
	l.Text = messages.New("arcs.figure", "legend", l.Text, "word", Label(s.axis(rowSide), row))
	return l
}
