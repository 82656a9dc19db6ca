package figure

import (
	"image/color"
	"math"
	"strings"

	"attnatlas/engine/figure/lettering"

	stdfont "golang.org/x/image/font"
	"golang.org/x/image/math/fixed"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
)

// handler lets gonum/plot set text in any script, horizontally or upwards. go-text shapes it, with
// a font for each run by coverage. The surface draws the result.
type handler struct{ *lettering.Typesetter }

var _ text.Handler = handler{}

// Cache satisfies text.Handler; gonum does not call it.
func (handler) Cache() *font.Cache { return nil }

// Extents returns the extents of DejaVu for every script, so that labels share one baseline.
func (h handler) Extents(f font.Font) font.Extents {
	up, down := h.vertical(float64(f.Size))
	return font.Extents{Ascent: vg.Length(up), Descent: vg.Length(down), Height: vg.Length(up + down)}
}

// vertical returns how far text of a size reaches above and below its baseline.
func (h handler) vertical(size float64) (up, down float64) {
	e, _ := h.Face(lettering.Sans).FontHExtents()
	unit := size / float64(h.Face(lettering.Sans).Upem())
	return float64(e.Ascender) * unit, -float64(e.Descender) * unit
}

// Lines splits text at line feeds.
func (handler) Lines(txt string) []string {
	return strings.Split(strings.TrimRight(txt, "\n"), "\n")
}

// Box measures one line.
func (h handler) Box(txt string, f font.Font) (width, height, depth vg.Length) {
	up, down := h.vertical(float64(f.Size))
	return vg.Length(h.width(txt, f)), vg.Length(up), vg.Length(down)
}

func (h handler) width(txt string, f font.Font) float64 {
	return h.Set(lineOf(txt, f)).Advance
}

// Draw sets text at the place where gonum's own handler would: the lower edge of an unaligned block
// is its baseline. Axes shift their labels by a descent to compensate. For rotated labels this is
// the wrong direction, so Draw corrects rotated text.
func (h handler) Draw(c vg.Canvas, txt string, sty text.Style, pt vg.Point) {
	lines := h.Lines(txt)
	up, down := h.vertical(float64(sty.Font.Size))
	sin, cos := math.Sincos(sty.Rotation)
	x := float64(pt.Y)*sin + float64(pt.X)*cos
	y := float64(pt.Y)*cos - float64(pt.X)*sin
	y += float64(len(lines)) * (up + down) * float64(sty.YAlign)
	if sty.Rotation != 0 {
		x, y = x-down, y+down
	}
	colour := color.RGBAModel.Convert(sty.Color).(color.RGBA)
	for i, txt := range lines {
		left := x + float64(sty.XAlign)*h.width(txt, sty.Font)
		base := y + float64(len(lines)-1-i)*(up+down)
		if s, ok := surfaceOf(c); ok {
			px, py := left*cos-base*sin, left*sin+base*cos
			s.write(h.Typesetter, lettering.Inscription{Line: lineOf(txt, sty.Font), X: px, Y: s.tall() - py, Colour: colour,
				Upwards: sty.Rotation != 0, Align: float64(sty.XAlign)})
		}
	}
}

// lineOf converts a text and a gonum font to a line.
func lineOf(txt string, f font.Font) lettering.Line {
	return lettering.Line{Text: txt, Size: fixed.Int26_6(float64(f.Size) * 64), Bold: f.Weight >= stdfont.WeightBold}
}
