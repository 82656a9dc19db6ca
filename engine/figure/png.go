package figure

import (
	"image"
	"io"
	"math"

	"attnatlas/engine/figure/lettering"
)

// baseDPI is the resolution at which lettering has its nominal size in pixels.
const baseDPI = 96

// PNG writes the map as a figure: cells on whole pixels, axes, token labels, title, colour bar and
// legend. Errors that wrap ErrInvalid are sentences for readers.
func (f Figure) PNG(w io.Writer) error {
	return f.board().PNG(w)
}

// onImage draws the figure and passes the image to do, which must not keep it.
func (f Figure) onImage(do func(*image.RGBA) error) error {
	return f.board().lay(func(p *poster) error {
		img := p.image()
		defer giveBack(img)
		return do(img)
	})
}

// fittingPage returns a page within the size limit. If the request names no scale, cells shrink
// until the page fits, so that the error never asks for a smaller scale.
func fittingPage(s Spec, g *Grid, t *lettering.Typesetter) (*page, error) {
	for cell := cellSize(s, g); ; cell = smaller(cell) {
		err := checkSize(g.extent(cell))
		if err == nil {
			p := newPage(s, g, t, cell)
			if err = checkSize(p.width, p.height); err == nil {
				return p, nil
			}
		}
		if s.Scale > 0 || cell.X == 1 {
			return nil, err
		}
	}
}

// smaller returns the next smaller cell, still a square if the cell is one.
func smaller(cell image.Point) image.Point {
	x := cell.X - max(cell.X/8, 1)
	if cell.X == cell.Y {
		return image.Pt(x, x)
	}
	return image.Pt(x, cell.Y)
}

// factorOf returns the size of lettering relative to 96 dots per inch. Coarser resolutions do not
// reduce it, so that it stays readable.
func factorOf(dpi int) float64 {
	if dpi <= baseDPI {
		return 1
	}
	return float64(dpi) / baseDPI
}

// largestCell is the largest default size of a cell, in pixels at 96 dots per inch.
const largestCell = 32

// cellSize returns the requested size of a cell, or one that makes the body about 700 pixels large
// at 96 dots per inch. Strips get a visible height.
func cellSize(s Spec, g *Grid) image.Point {
	const bodySize, stripHeight, lowStrip, wordHeight = 704, 24, 16, 76
	if g.form == Wiring {
		return wiringCell(s, g)
	}
	f := s.factor()
	n := g.Cols
	if !g.form.stripped() {
		n = max(n, g.Rows)
	}
	x := s.Scale
	if x == 0 && s.body > 0 {
		x = s.fitted(n)
	} else if x == 0 {
		x = min(largestCell, bodySize/n)
		if x < 2 {
			x = min(2, max(1, 2*bodySize/n)) // a larger body is better than cells of one pixel
		}
		x = int(math.Round(float64(x) * f))
	}
	if g.form == Order && s.Words != nil && float64(x) >= wordsFrom*f {
		return image.Pt(x, max(x, int(math.Round(wordHeight*f))))
	}
	if s.symbol() != "" { // readers look at the map above the strip
		return image.Pt(x, max(x, int(math.Round(lowStrip*f))))
	}
	if g.form.stripped() {
		return image.Pt(x, max(x, int(math.Round(stripHeight*f))))
	}
	return image.Pt(x, x)
}

// fitted returns the size of n adjacent cells on a board.
func (s *Spec) fitted(n int) int {
	if s.Preset.is() {
		return max(1, s.body/n)
	}
	f := s.factor()
	return max(1, int(min(largestCell*f, float64(s.body)*f/float64(n))))
}
