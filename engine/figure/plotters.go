package figure

import (
	"image"
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg/draw"
)

// body is the plotter that draws the cells: one image on whole pixels.
type body struct {
	brush brush
	cell  image.Point // size of a cell
	seam  image.Point // column and row after the boundary of two texts; 0: none
}

// seam returns the column and the row at which the second of two texts begins.
func (s *Spec) seam() image.Point {
	at := image.Pt(s.axis(columnSide).Seam, 0)
	if len(s.Map.Axes) > 1 {
		at.Y = s.axis(rowSide).Seam
	}
	return at
}

// Plot paints the cells and a thin frame around them.
func (b body) Plot(c draw.Canvas, _ *plot.Plot) {
	s, ok := surfaceOf(c)
	if !ok {
		return
	}
	at := corner(s, c)
	r := image.Rectangle{Min: at, Max: at.Add(image.Pt(b.brush.grid.Cols*b.cell.X, b.brush.grid.Rows*b.cell.Y))}
	s.cells(b.brush, at, b.cell)
	frame(s, r, b.brush.zoom, b.brush.colours.Muted)
	b.part(s, r)
}

// Dimensions of the line between two texts, in pixels at 96 dots per inch.
const (
	seamFrom  = 5 // smallest cells between which it runs; next to smaller ones it only sticks out
	seamReach = 6 // how far it sticks out of the frame
)

// part draws the lines between two texts: light next to dark, so that they show on any colour. They
// hide one pixel of each cell that they touch.
func (b body) part(s surface, r image.Rectangle) {
	z := b.brush.zoom
	out, end := r.Inset(-seamReach*z), r.Max
	if min(b.cell.X, b.cell.Y) < seamFrom*z {
		end = r.Min
	}
	if b.seam.X > 0 {
		x := r.Min.X + b.seam.X*b.cell.X
		s.fill(image.Rect(x-z, out.Min.Y, x, end.Y), b.brush.colours.Text)
		s.fill(image.Rect(x, out.Min.Y, x+z, end.Y), b.brush.colours.Paper)
	}
	if b.seam.Y > 0 {
		y := r.Min.Y + b.seam.Y*b.cell.Y
		s.fill(image.Rect(out.Min.X, y-z, end.X, y), b.brush.colours.Text)
		s.fill(image.Rect(out.Min.X, y, end.X, y+z), b.brush.colours.Paper)
	}
}

// bar is the plotter that draws the colour bar.
type bar struct {
	table *Table
	frame color.RGBA
	thick int
}

// Plot paints the table from left to right, in steps of four entries. Readers cannot see the steps,
// and the limited colours of a small PNG stay free for the map.
func (b bar) Plot(c draw.Canvas, _ *plot.Plot) {
	s, ok := surfaceOf(c)
	if !ok {
		return
	}
	at := corner(s, c)
	r := image.Rectangle{Min: at, Max: at.Add(image.Pt(int(math.Round(float64(c.Size().X))),
		int(math.Round(float64(c.Size().Y)))))}
	end := func(step int) int { return min(r.Min.X+(step*r.Dx()+barSteps-1)/barSteps, r.Max.X) }
	for i := range barSteps { // each overlaps the next one: see drawing.ground
		e := b.table[i*255/(barSteps-1)]
		s.fill(image.Rect(end(i), r.Min.Y, end(i+2), r.Max.Y), rgb(e[0], e[1], e[2]))
	}
	frame(s, r, b.thick, b.frame)
}

// barSteps is the number of colours in a colour bar.
const barSteps = 64
