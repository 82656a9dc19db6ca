package figure

import (
	"image"
	"image/color"
	stddraw "image/draw"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg/draw"
)

// body is the plotter that draws the cells: one image on whole pixels.
type body struct {
	brush brush
	cell  image.Point // size of a cell
	seam  image.Point // the column and the row in front of which a line stands; 0: none
}

// seam is the column and the row at which the second of two texts begins.
func (s *Spec) seam() image.Point {
	at := image.Pt(s.axis(false).Seam, 0)
	if len(s.Map.Axes) > 1 {
		at.Y = s.axis(true).Seam
	}
	return at
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
	b.part(s, image.Rectangle{Min: at, Max: at.Add(size)})
}

// Sizes of the line between two texts, in pixels at 96 dots per inch.
const (
	seamFrom  = 5 // smallest cells between which it runs; beside smaller ones it only stands out
	seamReach = 6 // how far it stands out of the frame
)

// part draws the lines between two texts: light beside dark, so that they show on any
// colour, at the cost of one pixel of each cell that they touch.
func (b body) part(s *sheet, r image.Rectangle) {
	z := b.brush.zoom
	out := r.Inset(-seamReach * z)
	draw := func(line image.Rectangle, c color.RGBA) {
		if min(b.cell.X, b.cell.Y) >= seamFrom*z {
			stddraw.Draw(s.img, line, image.NewUniform(c), image.Point{}, stddraw.Src)
			return
		}
		for y := line.Min.Y; y < line.Max.Y; y++ {
			for x := line.Min.X; x < line.Max.X; x++ {
				if !image.Pt(x, y).In(r) {
					s.img.SetRGBA(x, y, c)
				}
			}
		}
	}
	if b.seam.X > 0 {
		x := r.Min.X + b.seam.X*b.cell.X
		draw(image.Rect(x-z, out.Min.Y, x, r.Max.Y), b.brush.colours.Text)
		draw(image.Rect(x, out.Min.Y, x+z, r.Max.Y), b.brush.colours.Paper)
	}
	if b.seam.Y > 0 {
		y := r.Min.Y + b.seam.Y*b.cell.Y
		draw(image.Rect(out.Min.X, y-z, r.Max.X, y), b.brush.colours.Text)
		draw(image.Rect(out.Min.X, y, r.Max.X, y+z), b.brush.colours.Paper)
	}
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
