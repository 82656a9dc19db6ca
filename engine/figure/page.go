package figure

import (
	"image"
	"math"
	"strings"
	"unicode/utf8"

	"attnatlas/engine/figure/lettering"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Dimensions of the page, in pixels at 96 dots per inch.
const (
	margin     = 14
	narrowest  = 360 // a figure is at least this wide, so that its title fits
	titleSize  = 16
	smallSize  = 11
	rowTitleUp = 6 // distance of the rows' title from the body
	barHeight  = 12
	barWidth   = 340 // at most
	swatchSize = 13
)

// page is the layout of a figure: the positions of its parts, before there is an image. Coordinates
// are pixels from the upper left corner.
type page struct {
	pen
	spec          Spec
	grid          *Grid
	cell          image.Point
	zoom          int // thickness of lines
	width, height int

	left     float64 // where texts begin
	texts    []words
	corner   image.Point // upper left corner of the body's cells
	columns  columns
	body     placedPlot
	bar      placedPlot
	swatches []swatch
}

// words is a line of text whose baseline begins at x, y.
type words struct {
	text  string
	style text.Style
	x, y  float64
}

// placedPlot is a gonum plot with its rectangle.
type placedPlot struct {
	plot                *plot.Plot
	x, y, width, height float64
}

// swatch is an example cell of the legend.
type swatch struct {
	note
	box image.Rectangle
}

// note is a line of the legend with its example: an entry of the table, or a class.
type note struct {
	text  string
	index uint8
	class Class
}

func newPage(s Spec, g *Grid, t *lettering.Typesetter, cell image.Point) *page {
	p := &page{spec: s, grid: g, cell: cell, pen: pen{handler{t}, s.Theme.Colours(), s.factor(), s.smallest}}
	p.zoom, p.left = max(1, int(math.Round(p.factor))), margin*p.factor
	p.body.plot = p.bodyPlot()
	width, height := g.extent(cell)
	p.body.width, p.body.height = fit(p.body.plot, float64(width), float64(height))
	if s.under {
		p.columns = columns{}
	}
	if name := s.symbol(); name != "" {
		return p.named(name)
	}
	rowTitle := p.rowTitle()
	shift := p.roomForRowTitle(rowTitle)
	if s.beside {
		return p.besideBody(shift, rowTitle)
	}
	wide := max(s.narrow(), p.body.width+shift+2*margin*p.factor)

	y := p.header(margin*p.factor, wide)
	y = p.placeBody(y+p.columns.room(p), shift, rowTitle)
	p.columns.place(p)
	y = p.footer(y, wide)
	p.width, p.height = int(math.Ceil(wide)), int(math.Ceil(y+margin*p.factor))
	return p
}

// mostSymbol is the largest number of letters in a symbol that replaces a title.
const mostSymbol = 14

// symbol returns the symbol of a strip below a figure of the same model, from its title “model · symbol”. It is empty
// for other figures.
func (s *Spec) symbol() string {
	_, symbol, ok := strings.Cut(s.Title, " · ")
	if !ok || !s.under || len(s.Map.Axes) != 1 || strings.Contains(symbol, " · ") ||
		utf8.RuneCountInString(symbol) > mostSymbol {
		return ""
	}
	return symbol
}

// named lays out a strip with its symbol on the left of the cells instead of a title above them.
func (p *page) named(symbol string) *page {
	st := p.bold(12)
	wide := float64(st.Width(symbol))
	inner := float64(p.dataArea(p.body).Min.X)
	shift := max(float64(p.spec.indent)-margin*p.factor-inner, wide+rowTitleUp*p.factor)
	y := p.placeBody(margin/2*p.factor, shift, "")
	up, down := p.h.vertical(float64(st.Font.Size))
	p.texts = append(p.texts, words{symbol, st, float64(p.corner.X) - rowTitleUp*p.factor - wide,
		float64(p.corner.Y) + (float64(p.grid.Rows*p.cell.Y)+up-down)/2})
	width := max(p.spec.least, p.body.x+p.body.width+margin*p.factor)
	y = p.footer(y, width)
	if !p.spec.over {
		y += margin / 2 * p.factor
	}
	p.width, p.height = int(math.Ceil(width)), int(math.Ceil(y+margin/2*p.factor))
	return p
}

// besideBody lays out texts on the right of the cells, on a page of a given width. The page becomes wider if they do
// not fit.
func (p *page) besideBody(shift float64, rowTitle string) *page {
	const leastText = 220
	end := p.placeBody(margin*p.factor+p.columns.room(p), shift, rowTitle)
	p.columns.place(p)
	p.left = p.body.x + p.body.width + 2*margin*p.factor
	width := max(p.spec.least-p.left+margin*p.factor, leastText*p.factor)
	y := p.footer(p.header(float64(p.corner.Y), width), width)
	p.width, p.height = int(math.Ceil(p.left+width-margin*p.factor)), int(math.Ceil(max(y, end)+margin*p.factor))
	return p
}

// narrow returns the minimum width of a page.
func (s *Spec) narrow() float64 {
	switch {
	case s.under:
		return 0 // the page above is wide enough
	case s.Preset.is():
		return s.least
	}
	return narrowest * s.factor()
}

// bodyPlot returns the plot of the cells with its two axes.
func (p *page) bodyPlot() *plot.Plot {
	g := p.grid
	if g.form == Wiring {
		return p.wiringPlot()
	}
	if p.spec.Arcs.On {
		return p.arcsPlot()
	}
	b := p.plain()
	p.positions(&b.X, columnSide, p.spec.labelsOf(columnSide, g.Cols), p.cell.X)
	p.columns = p.columnsOf(&b.X, float64(p.cell.X))
	p.columns.upright = !Numbered(p.spec.axis(columnSide)) && float64(p.cell.X) >= someLabelsFrom*p.letters()
	if labels := p.spec.labelsOf(rowSide, g.Rows); labels != nil {
		p.positions(&b.Y, rowSide, labels, p.cell.Y)
	}
	b.Y.Min, b.Y.Max = 0, float64(g.Rows)
	b.Y.Scale = plot.InvertedScale{Normalizer: plot.LinearScale{}} // row 0 on top
	b.Add(body{newBrush(g, p.spec, p.zoom), p.cell, p.spec.seam()})
	return b
}

// roomForRowTitle returns how far the body must move to the right so that the title of the rows
// fits.
func (p *page) roomForRowTitle(title string) float64 {
	if title == "" {
		return 0
	}
	left := float64(p.dataArea(p.body).Min.X)
	return max(0, float64(p.style(12, p.colours.Text).Width(title))+rowTitleUp*p.factor-left)
}

// dataArea returns the rectangle in which a plot draws data, in gonum's coordinates.
func (p *page) dataArea(b placedPlot) vg.Rectangle {
	size := vg.Point{X: vg.Length(b.width), Y: vg.Length(b.height)}
	return b.plot.DataCanvas(draw.Canvas{Rectangle: vg.Rectangle{Max: size}}).Rectangle
}

// settle moves a plot a fraction of a pixel to the right and down, so that its data begin on a
// whole pixel.
func (p *page) settle(b placedPlot) (placedPlot, image.Point) {
	area := p.dataArea(b)
	left, top := b.x+float64(area.Min.X), b.y+b.height-float64(area.Max.Y)
	at := image.Pt(int(math.Ceil(left-1e-6)), int(math.Ceil(top-1e-6)))
	b.x, b.y = b.x+float64(at.X)-left, b.y+float64(at.Y)-top
	return b, at
}

// placeBody puts the plot below y, and the title of its rows above the labels.
func (p *page) placeBody(y, shift float64, rowTitle string) float64 {
	var at image.Point
	p.body.x, p.body.y = margin*p.factor+shift, y
	p.body, at = p.settle(p.body)
	p.corner = at
	if rowTitle != "" {
		st := p.style(12, p.colours.Text)
		p.texts = append(p.texts, words{rowTitle, st,
			float64(at.X) - rowTitleUp*p.factor - float64(st.Width(rowTitle)), float64(at.Y) - rowTitleUp*p.factor})
	}
	return p.body.y + p.body.height
}

// header sets title and subtitle, and returns where they end.
func (p *page) header(y, width float64) float64 {
	if p.spec.Untitled {
		return y
	}
	room := width - 2*margin*p.factor
	y = p.paragraph(p.spec.Title, p.bold(titleSize), y, room, 2)
	if !p.spec.under {
		y = p.paragraph(p.spec.Subtitle, p.style(smallSize, p.colours.Muted), y+2*p.factor, room, 3)
	}
	return y + 8*p.factor
}

// paragraph sets wrapped text below y.
func (p *page) paragraph(txt string, st text.Style, y, room float64, most int) float64 {
	up, down := p.h.vertical(float64(st.Font.Size))
	for _, l := range p.h.wrap(visible(txt), st, room, most) {
		p.texts = append(p.texts, words{l, st, p.left, y + up})
		y += (up + down) * 1.12
	}
	return y
}

// draw puts everything on an image of the page's size.
func (p *page) draw(img *image.RGBA) { p.drawOn(newSheet(img, p.brush().paper)) }

func (p *page) brush() brush { return newBrush(p.grid, p.spec, p.zoom) }

// drawOn puts everything on a surface.
func (p *page) drawOn(s surface) {
	b := p.brush()
	for _, pl := range []placedPlot{p.body, p.bar} {
		if pl.plot == nil {
			continue
		}
		pl.plot.Draw(area(s, pl.x, pl.y, pl.width, pl.height))
	}
	p.inscribe(s, b)
	p.columns.draw(p, s)
	for _, w := range p.texts {
		p.h.Draw(s, w.text, w.style, vg.Point{X: vg.Length(w.x), Y: vg.Length(s.tall() - w.y)})
	}
	for _, w := range p.swatches {
		s.example(b, w)
		frame(s, w.box, p.zoom, p.colours.Muted)
	}
}
