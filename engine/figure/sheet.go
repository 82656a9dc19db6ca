package figure

import (
	"image"
	"image/color"
	stddraw "image/draw"
	"sync"

	"attnatlas/engine/figure/lettering"

	"git.sr.ht/~sbinet/gg"
	"gonum.org/v1/plot/vg/vgimg"
)

// pointsPerInch makes gonum's unit of length one pixel.
const pointsPerInch = 72

// sheet is an image as a gonum canvas, one pixel to the point. Plotters and the text handler of
// this package also use the image directly.
type sheet struct {
	*vgimg.Canvas
	img    *image.RGBA
	height float64
}

// newSheet makes an image an empty sheet of paper, which can be transparent.
func newSheet(img *image.RGBA, paper color.RGBA) *sheet {
	ctx := gg.NewContextForRGBA(img)
	ctx.SetLineCapButt()
	ctx.InvertY()
	c := vgimg.NewWith(vgimg.UseImageWithContext(img, ctx), vgimg.UseDPI(pointsPerInch))
	stddraw.Draw(img, img.Rect, image.NewUniform(paper), image.Point{}, stddraw.Src)
	return &sheet{Canvas: c, img: img, height: float64(img.Rect.Dy())}
}

// canvases are pooled, because each has several megabytes.
var canvases = sync.Pool{New: func() any { return new([]byte) }}

// borrow returns an image with arbitrary pixels from the pool.
func borrow(width, height int) *image.RGBA {
	pix := canvases.Get().(*[]byte)
	if n := 4 * width * height; cap(*pix) < n {
		*pix = make([]byte, n)
	}
	return &image.RGBA{Pix: (*pix)[:4*width*height], Stride: 4 * width, Rect: image.Rect(0, 0, width, height)}
}

// window returns a part of an image as its own image, with its upper left corner at 0, 0.
func window(img *image.RGBA, at image.Point, width, height int) *image.RGBA {
	part := img.SubImage(image.Rect(0, 0, width, height).Add(at)).(*image.RGBA)
	return &image.RGBA{Pix: part.Pix, Stride: part.Stride, Rect: image.Rect(0, 0, width, height)}
}

// giveBack returns a borrowed image to the pool.
func giveBack(img *image.RGBA) { canvases.Put(&img.Pix) }

func (s *sheet) tall() float64 { return s.height }

func (s *sheet) fill(r image.Rectangle, c color.RGBA) {
	stddraw.Draw(s.img, r, image.NewUniform(c), image.Point{}, stddraw.Src)
}

func (s *sheet) cells(b brush, at, size image.Point) { b.cells(s.img, at, size) }

func (s *sheet) example(b brush, e swatch) { b.swatch(s.img, e) }

func (s *sheet) write(t *lettering.Typesetter, l lettering.Inscription) { t.Ink(s.img, l) }
