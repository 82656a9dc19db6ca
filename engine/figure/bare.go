package figure

import (
	"image"
	"io"
)

// Bare writes only the cells as a small PNG, without axes or lettering: Scale
// pixels per cell, 1 when Scale is 0.
func Bare(w io.Writer, s Spec) error {
	if err := checkScale(s.Scale); err != nil {
		return err
	}
	if err := checkDPI(s.DPI); err != nil {
		return err
	}
	g, err := Quantise(s)
	if err != nil {
		return err
	}
	scale := max(1, s.Scale)
	if err := checkSize(g.Cols*scale, g.Rows*scale); err != nil {
		return err
	}
	img := borrow(g.Cols*scale, g.Rows*scale)
	defer giveBack(img)
	newBrush(g, s, 1).cells(img, image.Point{}, image.Pt(scale, scale))
	return encode(w, img, fileInfo{dpi: s.DPI, meta: s.Meta})
}
