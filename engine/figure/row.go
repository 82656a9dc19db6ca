package figure

import (
	"errors"
	"image"
	"image/color"
	"image/draw"
	"io"
)

// Row writes figures as one PNG, from left to right, with the upper edges of their cells on one
// line. What the file says is what the first one says.
func Row(w io.Writer, figures []Figure) error {
	if len(figures) == 0 {
		return errors.New("figure: a row needs a figure")
	}
	r := row{}
	for _, f := range figures {
		if err := f.onPage(r.measure); err != nil {
			return err
		}
	}
	first := figures[0]
	paper := first.Theme.Colours().Paper
	if first.Transparent {
		paper = color.RGBA{}
	}
	r.img = borrow(r.width, r.above+r.below)
	defer giveBack(r.img)
	draw.Draw(r.img, r.img.Rect, image.NewUniform(paper), image.Point{}, draw.Src)
	for _, f := range figures {
		if err := f.onPage(r.place); err != nil {
			return err
		}
	}
	return encode(w, r.img, fileInfo{dpi: first.DPI, meta: first.Meta})
}

// row is an image on which pages stand side by side.
type row struct {
	img          *image.RGBA
	width        int
	above, below int // of the line on which all cells begin
	at           int // where the next page stands
}

func (r *row) measure(p *page) error {
	r.width += p.width
	r.above, r.below = max(r.above, p.corner.Y), max(r.below, p.height-p.corner.Y)
	return checkSize(r.width, r.above+r.below)
}

func (r *row) place(p *page) error {
	img := p.draw().img
	defer giveBack(img)
	to := img.Rect.Add(image.Pt(r.at, r.above-p.corner.Y))
	draw.Draw(r.img, to, img, image.Point{}, draw.Src)
	r.at += p.width
	return nil
}
