package figure

import (
	"image"
	"image/color"
	stddraw "image/draw"
	"sync"

	"git.sr.ht/~sbinet/gg"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
)

// pointsPerInch makes gonum's unit of length one pixel.
const pointsPerInch = 72

// sheet is an image as gonum sees it, one pixel to the point, that plotters
// and the text handler of this package also reach directly.
type sheet struct {
	*vgimg.Canvas
	img    *image.RGBA
	height float64
}

// newSheet is an empty sheet of paper, which may be transparent.
func newSheet(width, height int, paper color.RGBA) *sheet {
	img := borrow(width, height)
	ctx := gg.NewContextForRGBA(img)
	ctx.SetLineCapButt()
	ctx.InvertY()
	c := vgimg.NewWith(vgimg.UseImageWithContext(img, ctx), vgimg.UseDPI(pointsPerInch))
	stddraw.Draw(img, img.Rect, image.NewUniform(paper), image.Point{}, stddraw.Src)
	return &sheet{Canvas: c, img: img, height: float64(height)}
}

// canvases are kept because each has some megabytes.
var canvases = sync.Pool{New: func() any { return new([]byte) }}

// borrow returns an image whose pixels are anything.
func borrow(width, height int) *image.RGBA {
	pix := canvases.Get().(*[]byte)
	if n := 4 * width * height; cap(*pix) < n {
		*pix = make([]byte, n)
	}
	return &image.RGBA{Pix: (*pix)[:4*width*height], Stride: 4 * width, Rect: image.Rect(0, 0, width, height)}
}

// giveBack ends the use of a borrowed image.
func giveBack(img *image.RGBA) { canvases.Put(&img.Pix) }

// area is a rectangle of the sheet, given from its upper left corner.
func (s *sheet) area(left, top, width, height float64) draw.Canvas {
	return draw.Canvas{Canvas: s, Rectangle: vg.Rectangle{
		Min: vg.Point{X: vg.Length(left), Y: vg.Length(s.height - top - height)},
		Max: vg.Point{X: vg.Length(left + width), Y: vg.Length(s.height - top)},
	}}
}

// frame draws a line of whole pixels around, not over, a rectangle.
func (s *sheet) frame(r image.Rectangle, thick int, c color.RGBA) {
	out := r.Inset(-thick)
	for _, side := range []image.Rectangle{
		image.Rect(out.Min.X, out.Min.Y, out.Max.X, r.Min.Y), image.Rect(out.Min.X, r.Max.Y, out.Max.X, out.Max.Y),
		image.Rect(out.Min.X, r.Min.Y, r.Min.X, r.Max.Y), image.Rect(r.Max.X, r.Min.Y, out.Max.X, r.Max.Y),
	} {
		stddraw.Draw(s.img, side, image.NewUniform(c), image.Point{}, stddraw.Src)
	}
}
