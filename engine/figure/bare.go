package figure

import (
	"image"
	"io"

	"attnatlas/engine/figure/pngfile"
)

// Bare writes only the cells as a small PNG, without axes or lettering. Each cell has Scale pixels,
// or 1 if Scale is 0.
func (f Figure) Bare(w io.Writer) error {
	if err := f.check(); err != nil {
		return err
	}
	g, scale := f.Grid, max(1, f.Scale)
	if err := checkSize(g.Cols*scale, g.Rows*scale); err != nil {
		return err
	}
	img := borrow(g.Cols*scale, g.Rows*scale)
	defer giveBack(img)
	newBrush(g, f.Spec, 1).cells(img, image.Point{}, image.Pt(scale, scale))
	return pngfile.Encode(w, img, fileInfo(f.DPI, f.Meta))
}

// bareCell is the size of the cells of a drawing without lettering.
const bareCell = 8

// bareDrawing returns the cells alone, as shapes.
func (f Figure) bareDrawing() (*drawing, error) {
	if err := f.check(); err != nil {
		return nil, err
	}
	g, cell := f.Grid, f.Scale
	if cell == 0 {
		cell = bareCell
	}
	width, height := g.Cols*cell, g.Rows*cell
	if err := checkSize(width, height); err != nil {
		return nil, err
	}
	d := newDrawing(width, height)
	d.cells(newBrush(g, f.Spec, 1), image.Point{}, image.Pt(cell, cell))
	return d, nil
}
