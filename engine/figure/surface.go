package figure

import (
	"image"
	"image/color"
	"math"

	"attnatlas/engine/figure/lettering"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// surface is the target of a page: an image (sheet) or shapes (drawing). For gonum it is a canvas,
// one pixel to the point. Its own methods use pixels from the upper left corner.
type surface interface {
	vg.Canvas
	tall() float64
	fill(r image.Rectangle, c color.RGBA)
	cells(b brush, at, size image.Point) // the cells of a grid, with their marks
	example(b brush, s swatch)           // of a class or of a kind of empty cell
	write(t *lettering.Typesetter, l lettering.Inscription)
}

// area returns a rectangle of a surface, given from its upper left corner.
func area(s surface, left, top, width, height float64) draw.Canvas {
	return draw.Canvas{Canvas: s, Rectangle: vg.Rectangle{
		Min: vg.Point{X: vg.Length(left), Y: vg.Length(s.tall() - top - height)},
		Max: vg.Point{X: vg.Length(left + width), Y: vg.Length(s.tall() - top)},
	}}
}

// frame draws a line of whole pixels around, not over, a rectangle.
func frame(s surface, r image.Rectangle, thick int, c color.RGBA) {
	out := r.Inset(-thick)
	for _, side := range []image.Rectangle{
		image.Rect(out.Min.X, out.Min.Y, out.Max.X, r.Min.Y), image.Rect(out.Min.X, r.Max.Y, out.Max.X, out.Max.Y),
		image.Rect(out.Min.X, r.Min.Y, r.Min.X, r.Max.Y), image.Rect(r.Max.X, r.Min.Y, out.Max.X, r.Max.Y),
	} {
		s.fill(side, c)
	}
}

// corner returns the pixel at a canvas's upper left corner.
func corner(s surface, c draw.Canvas) image.Point {
	return image.Pt(int(math.Round(float64(c.Min.X))), int(math.Round(s.tall()-float64(c.Max.Y))))
}

// surfaceOf returns the surface under the canvases that gonum wraps around it. Everything drawn in
// this package has one.
func surfaceOf(c vg.Canvas) (surface, bool) {
	for {
		switch x := c.(type) {
		case surface:
			return x, true
		case draw.Canvas:
			c = x.Canvas
		case *draw.Canvas:
			c = x.Canvas
		default:
			return nil, false
		}
	}
}
