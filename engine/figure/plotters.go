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
}

// Plot paints the cells and a thin frame around them.
func (b body) Plot(c draw.Canvas, _ *plot.Plot) {
	g := b.brush.grid
	size := image.Pt(g.Cols*b.cell.X, g.Rows*b.cell.Y)
	s, ok := sheetOf(c)
	if !ok {
		img := image.NewRGBA(image.Rectangle{Max: size})
		b.brush.cells(img, image.Point{}, b.cell)
		c.DrawImage(c.Rectangle, img)
		return
	}
	at := corner(s, c)
	b.brush.cells(s.img, at, b.cell)
	s.frame(image.Rectangle{Min: at, Max: at.Add(size)}, b.brush.zoom, b.brush.colours.Muted)
}

// bar is the plotter that draws the colour bar.
type bar struct {
	table *Table
	frame color.RGBA
	thick int
}

// Plot paints the table from left to right, in steps of four entries, which
// nobody can see: the colours of a small PNG's palette are for the map.
func (b bar) Plot(c draw.Canvas, _ *plot.Plot) {
	s, ok := sheetOf(c)
	if !ok {
		return
	}
	at := corner(s, c)
	r := image.Rectangle{Min: at, Max: at.Add(image.Pt(int(math.Round(float64(c.Size().X))), int(math.Round(float64(c.Size().Y)))))}
	for x := r.Min.X; x < r.Max.X; x++ {
		e := b.table[(x-r.Min.X)*64/r.Dx()*255/63]
		for y := r.Min.Y; y < r.Max.Y; y++ {
			s.img.SetRGBA(x, y, rgb(e[0], e[1], e[2]))
		}
	}
	s.frame(r, b.thick, b.frame)
}

// corner is the pixel of a canvas's upper left corner.
func corner(s *sheet, c draw.Canvas) image.Point {
	return image.Pt(int(math.Round(float64(c.Min.X))), int(math.Round(s.height-float64(c.Max.Y))))
}
