package figure

import (
	"image"
	"image/color"
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
	paper   color.RGBA // transparent, or the theme's
	zoom    int        // thickness of lines: 1 at 96 dots per inch
}

func newBrush(g *Grid, s Spec, zoom int) brush {
	b := brush{grid: g, table: g.Table(s.Palette, s.Theme), colours: s.Theme.Colours(), zoom: zoom}
	if b.paper = b.colours.Paper; s.Transparent {
		b.paper = color.RGBA{}
	}
	return b
}

// cells paints the whole grid, in cells of a size, with its upper left corner at
// a point.
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

// ground is the colour that fills a cell.
func (b brush) ground(i int) color.RGBA {
	switch b.grid.Class[i] {
	case Forbidden, Missing:
		return b.paper
	case Bad:
		return b.colours.Bad
	}
	e := b.table[b.grid.Index[i]]
	return color.RGBA{R: e[0], G: e[1], B: e[2], A: 0xff}
}

// marks draws hatches, dots and crosses over the cells that have them.
func (b brush) marks(img *image.RGBA, at, size image.Point) {
	for i, class := range b.grid.Class {
		if class == Value || class == Tiny || class == Zero && min(size.X, size.Y) < dotFrom*b.zoom {
			continue
		}
		corner := at.Add(image.Pt(i%b.grid.Cols*size.X, i/b.grid.Cols*size.Y))
		b.mark(img, image.Rectangle{Min: corner, Max: corner.Add(size)}, class, b.grid.Index[i])
	}
}

// mark draws the sign of a class into a cell whose ground is painted.
func (b brush) mark(img *image.RGBA, cell image.Rectangle, class Class, index uint8) {
	switch class {
	case Forbidden, Missing:
		b.hatch(img, cell, class == Missing)
	case Zero:
		b.dot(img, cell, index)
	case Bad:
		b.cross(img, cell)
	}
}

// hatch draws the 45° lines, in one lattice over the whole image so that
// neighbouring cells join; crossed adds the other diagonal.
func (b brush) hatch(img *image.RGBA, cell image.Rectangle, crossed bool) {
	period := hatchPeriod * b.zoom
	if cell.Dx() < fineHatchFrom*b.zoom {
		period /= 2
	}
	for y := cell.Min.Y; y < cell.Max.Y; y++ {
		for x := cell.Min.X; x < cell.Max.X; x++ {
			if (x+y)%period < b.zoom || crossed && ((x-y)%period+period)%period < b.zoom {
				img.SetRGBA(x, y, b.colours.Hatch)
			}
		}
	}
}

// dot marks an exact zero: in the middle colour of the scale, or, where zero is
// the middle, in that of secondary text.
func (b brush) dot(img *image.RGBA, cell image.Rectangle, index uint8) {
	size := max(2, cell.Dx()/8)
	size += (cell.Dx() - size) % 2 // centred along x
	lo := cell.Min.Add(image.Pt((cell.Dx()-size)/2, (cell.Dy()-size)/2))
	c := b.colours.Muted
	if e := b.table[128]; index < 64 {
		c = color.RGBA{R: e[0], G: e[1], B: e[2], A: 0xff}
	}
	for y := range size {
		for x := range size {
			img.SetRGBA(lo.X+x, lo.Y+y, c)
		}
	}
}

// cross draws the ✕ of a number that is none.
func (b brush) cross(img *image.RGBA, cell image.Rectangle) {
	n := min(cell.Dx(), cell.Dy())
	if n < crossFrom*b.zoom {
		return
	}
	lo := cell.Min.Add(image.Pt((cell.Dx()-n)/2, (cell.Dy()-n)/2))
	for i := n / 5; i < n-n/5; i++ {
		for k := range b.zoom {
			x := min(lo.X+i+k, cell.Max.X-1)
			img.SetRGBA(x, lo.Y+i, b.colours.Cross)
			img.SetRGBA(x, lo.Y+n-1-i, b.colours.Cross)
		}
	}
}
