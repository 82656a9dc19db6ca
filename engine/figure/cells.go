package figure

import (
	"image"
	"image/color"
	"image/draw"
)

// Sizes of marks inside cells, in pixels at 96 dots per inch.
const (
	hatchPeriod   = 8  // distance between hatch lines along x
	dotFrom       = 12 // smallest cell that shows the dot of an exact zero
	crossFrom     = 5  // smallest cell that shows the ✕ of a bad number
	fineHatchFrom = 4  // cells below this get the narrower hatch
)

// brush paints a grid's cells on whole pixels: no seams, no blending.
type brush struct {
	grid    *Grid
	table   *Table
	colours Colours
	paper   color.RGBA // transparent, or the colour of the theme
	zoom    int        // thickness of lines: 1 at 96 dots per inch
	dots    bool       // zeros have a dot even in cells smaller than dotFrom
	minus   bool       // negative values have a minus sign, because grey prints show only magnitudes
}

func newBrush(g *Grid, s Spec, zoom int) brush {
	b := brush{grid: g, table: g.Table(s.Palette, s.Theme), colours: s.Theme.Colours(), zoom: zoom}
	b.minus = g.Scale.Signed && s.Preset.Paper && !s.Numbers
	if b.paper = b.colours.Paper; s.Transparent {
		b.paper = color.RGBA{}
	}
	return b
}

// cells paints the whole grid with cells of the given size. Its upper left corner is at the given
// point.
func (b brush) cells(img *image.RGBA, at, size image.Point) {
	width := b.grid.Cols * size.X * 4
	for r := range b.grid.Rows {
		top := img.PixOffset(at.X, at.Y+r*size.Y)
		line := img.Pix[top : top+width]
		for c := range b.grid.Cols {
			colour := b.ground(r*b.grid.Cols + c)
			cell := line[c*size.X*4 : (c+1)*size.X*4]
			for x := 0; x < len(cell); x += 4 {
				cell[x], cell[x+1], cell[x+2], cell[x+3] = colour.R, colour.G, colour.B, colour.A
			}
		}
		for y := 1; y < size.Y; y++ {
			copy(img.Pix[top+y*img.Stride:][:width], line)
		}
	}
	b.marks(img, at, size)
}

// dotted reports whether zeros have a dot in cells of the given size.
func (b brush) dotted(size image.Point) bool { return b.dots || min(size.X, size.Y) >= dotFrom*b.zoom }

// ground returns the colour that fills a cell.
func (b brush) ground(i int) color.RGBA {
	switch class := b.grid.Class[i]; {
	case class.hatched():
		return b.paper
	case class == Bad:
		return b.colours.Bad
	}
	e := b.table[b.grid.Index[i]]
	return color.RGBA{R: e[0], G: e[1], B: e[2], A: 0xff}
}

// marks draws hatches, dots and crosses over the cells that have them.
func (b brush) marks(img *image.RGBA, at, size image.Point) {
	for i, class := range b.grid.Class {
		if class == Value && !b.negative(b.grid.Index[i]) || class == Tiny || class == Zero && !b.dotted(size) {
			continue
		}
		corner := at.Add(image.Pt(i%b.grid.Cols*size.X, i/b.grid.Cols*size.Y))
		b.mark(img, image.Rectangle{Min: corner, Max: corner.Add(size)}, class, b.grid.Index[i])
	}
}

// mark draws the sign of a class into a cell whose ground is painted.
func (b brush) mark(img *image.RGBA, cell image.Rectangle, class Class, index uint8) {
	switch {
	case class.hatched():
		b.hatch(img, cell, class)
	case class == Zero:
		b.dot(img, cell, index)
	case class == Bad:
		b.cross(img, cell)
	case class == Value && b.negative(index):
		if r, c, ok := b.minusOf(cell, index); ok {
			draw.Draw(img, r, image.NewUniform(c), image.Point{}, draw.Src)
		}
	}
}

// negative reports whether the minus sign marks a value with this index.
func (b brush) negative(index uint8) bool { return b.minus && index < cut(0.5) }

// minusOf returns the rectangle of a cell's minus sign, its colour, and whether the cell is large enough for it.
func (b brush) minusOf(cell image.Rectangle, index uint8) (image.Rectangle, color.RGBA, bool) {
	c := b.colours.Text
	if e := b.table[cut(0.5)]; index < 56 {
		c = color.RGBA{R: e[0], G: e[1], B: e[2], A: 0xff}
	}
	thick := max(b.zoom, cell.Dy()/12)
	r := image.Rect(cell.Min.X+cell.Dx()/4, cell.Min.Y, cell.Max.X-cell.Dx()/4, cell.Min.Y+thick)
	return r.Add(image.Pt(0, (cell.Dy()-thick)/2)), c, min(cell.Dx(), cell.Dy()) >= crossFrom*b.zoom
}

// hatch draws the lines of a class: at 45°, or upright for ablated cells. All lines belong to one lattice over the
// whole image, so that neighbouring cells join.
func (b brush) hatch(img *image.RGBA, cell image.Rectangle, class Class) {
	h := hatchOf(class)
	period := b.hatchPeriod(h, cell.Dx())
	for y := cell.Min.Y; y < cell.Max.Y; y++ {
		for x := cell.Min.X; x < cell.Max.X; x++ {
			if h.upright && x%period < b.zoom || h.up && (x+y)%period < b.zoom || h.down &&
				((x-y)%period+period)%period < b.zoom {
				img.SetRGBA(x, y, b.colours.Hatch)
			}
		}
	}
}

// hatched reports whether cells of a class show the paper under hatch lines.
func (c Class) hatched() bool { return c == Forbidden || c == Missing || c == Aside || c == Cut }

// hatching states which lines a class has: rising, falling, upright.
type hatching struct{ up, down, upright bool }

func hatchOf(class Class) hatching {
	switch class {
	case Cut:
		return hatching{upright: true}
	case Forbidden:
		return hatching{up: true}
	case Aside:
		return hatching{down: true}
	}
	return hatching{up: true, down: true}
}

// hatchPeriod returns the distance of the lines along x, in cells of the given width.
func (b brush) hatchPeriod(h hatching, width int) int {
	if h.upright || width < fineHatchFrom*b.zoom {
		return hatchPeriod * b.zoom / 2
	}
	return hatchPeriod * b.zoom
}

// dot marks an exact zero: in the middle colour of the table or, where zero is the middle, in the
// colour of secondary text.
func (b brush) dot(img *image.RGBA, cell image.Rectangle, index uint8) {
	r, c := b.dotOf(cell, index)
	draw.Draw(img, r, image.NewUniform(c), image.Point{}, draw.Src)
}

// dotOf returns the rectangle of a cell's dot and its colour.
func (b brush) dotOf(cell image.Rectangle, index uint8) (image.Rectangle, color.RGBA) {
	size := max(2, cell.Dx()/8)
	size += (cell.Dx() - size) % 2 // centred along x
	lo := cell.Min.Add(image.Pt((cell.Dx()-size)/2, (cell.Dy()-size)/2))
	c := b.colours.Muted
	if e := b.table[128]; index < 64 {
		c = color.RGBA{R: e[0], G: e[1], B: e[2], A: 0xff}
	}
	return image.Rectangle{Min: lo, Max: lo.Add(image.Pt(size, size))}, c
}

// cross draws the ✕ of a value that is not a number.
func (b brush) cross(img *image.RGBA, cell image.Rectangle) {
	r, ok := b.crossOf(cell)
	if !ok {
		return
	}
	for i := range r.Dx() {
		for k := range b.zoom {
			x := min(r.Min.X+i+k, cell.Max.X-1)
			img.SetRGBA(x, r.Min.Y+i, b.colours.Cross)
			img.SetRGBA(x, r.Max.Y-1-i, b.colours.Cross)
		}
	}
}

// crossOf returns the square of a cell's ✕, and whether the cell is large enough for it.
func (b brush) crossOf(cell image.Rectangle) (image.Rectangle, bool) {
	n := min(cell.Dx(), cell.Dy())
	lo := cell.Min.Add(image.Pt((cell.Dx()-n)/2, (cell.Dy()-n)/2))
	return image.Rectangle{Min: lo, Max: lo.Add(image.Pt(n, n))}.Inset(n / 5), n >= crossFrom*b.zoom
}
