package figure

import (
	"cmp"
	"errors"
	"image"
	"image/color"
	"image/draw"
	"io"
	"slices"

	"attnatlas/engine/figure/lettering"
	"attnatlas/engine/figure/pngfile"
)

// Stack is a list of figures one below the other, with the left edges of their cells aligned.
type Stack []Figure

// Board is several figures on one paper, in rows. The upper edges of the cells in a row are
// aligned. The first figure determines the look of the board.
type Board struct {
	Name    string // base name of its files, without extension; empty: the name of the first figure
	Title   string
	Heading string // heading above all figures; empty: none
	Meta    []Meta
	Stacks  []Stack
	Columns int  // 0: the number that suits the shape of the paper
	Tiles   bool // figures of one kind, which share one legend
}

// board returns a board with this figure alone.
func (f Figure) board() Board {
	return Board{Title: f.Title, Meta: f.Meta, Stacks: []Stack{{f}}, Columns: 1}
}

// PNG writes the board as an image.
func (b Board) PNG(w io.Writer) error {
	return b.lay(func(p *poster) error {
		img := p.image()
		defer giveBack(img)
		return pngfile.Encode(w, img, fileInfo(p.look.DPI, b.Meta))
	})
}

// SVG writes the board as shapes. Letters are outlines, so that every script looks the same
// everywhere. An invisible copy of the text covers them, so that readers can select and search it, and
// screen readers can read it aloud.
func (b Board) SVG(w io.Writer) error {
	return b.lay(func(p *poster) error { return writeSVG(w, p.drawing(), b.about(p.look), p.t) })
}

// PDF writes the board as shapes on one page of its size. Every glyph is in an embedded TrueType
// font that maps glyphs to characters. So all scripts look the same everywhere and can be selected
// and searched. The page is tagged as one figure with alternative text. The file has no time stamp:
// the same board gives the same bytes.
func (b Board) PDF(w io.Writer) error {
	return b.lay(func(p *poster) error { return writePDF(w, p.drawing(), b.about(p.look), p.t) })
}

// about is the metadata that a file carries about its figure.
type about struct {
	name             string // base name of its files, without extension; empty: figure
	title, described string
	language         string // tag (BCP 47)
	meta             []Meta
	unit             float64 // pixels at 96 dots per inch for one pixel of the drawing
}

func (b Board) about(look Spec) about {
	described := cmp.Or(valueOf(b.Meta, "Description"), look.Subtitle)
	return about{name: cmp.Or(b.Name, look.Name), title: b.Title, described: described, language: look.language().Tag(), meta: b.Meta,
		unit: look.unit()}
}

// valueOf returns the value of the last statement with the key, or an empty string.
func valueOf(meta []Meta, key string) string {
	for _, m := range slices.Backward(meta) {
		if m.Key == key {
			return m.Value
		}
	}
	return ""
}

// poster is a board laid out.
type poster struct {
	t             *lettering.Typesetter
	look          Spec     // spec of the first figure
	heading       *heading // nil: none
	pages         []placedPage
	width, height int
}

// placedPage is a page with its position on a poster.
type placedPage struct {
	*page
	at image.Point
}

// lay lays the board out and passes the poster to do, which must not keep it.
func (b Board) lay(do func(*poster) error) error {
	if len(b.Stacks) == 0 || len(b.Stacks[0]) == 0 {
		return errors.New("figure: a board needs a figure")
	}
	for _, s := range b.Stacks {
		for i := range s {
			if err := s[i].check(); err != nil {
				return err
			}
		}
	}
	if b.Tiles {
		b = b.together()
	}
	t := lettering.Borrow()
	defer t.Repay()
	p, err := b.fit(t)
	if err != nil {
		return err
	}
	for _, one := range p.pages {
		if one.spec.Numbers && float64(one.cell.X) < numbersIn*one.letters() {
			return invalid("figure.error.numbers", "cells", one.grid.Cols)
		}
	}
	p.t, p.look = t, b.Stacks[0][0].resolved()
	return do(p)
}

// image returns the poster as pixels, in a borrowed image. Pages are drawn directly at their
// positions, so that one image suffices for any number of pages.
func (p *poster) image() *image.RGBA {
	img := borrow(p.width, p.height)
	draw.Draw(img, img.Rect, image.NewUniform(p.paper()), image.Point{}, draw.Src)
	for _, one := range p.pages {
		one.draw(window(img, one.at, one.width, one.height))
	}
	if h := p.heading; h != nil {
		h.drawOn(newSheet(window(img, h.at, h.width, h.height), h.paper))
	}
	return img
}

// paper returns the colour between the pages.
func (p *poster) paper() color.RGBA {
	if p.look.Transparent {
		return color.RGBA{}
	}
	return p.look.Theme.Colours().Paper
}

// drawing returns the poster as shapes.
func (p *poster) drawing() *drawing {
	d := newDrawing(p.width, p.height)
	if paper := p.paper(); paper.A > 0 {
		d.fill(image.Rect(0, 0, p.width, p.height), paper)
	}
	if h := p.heading; h != nil { // first, so that screen readers start with it
		part := newDrawing(h.width, h.height)
		h.drawOn(part)
		d.place(part, h.at)
	}
	for _, one := range p.pages {
		part := newDrawing(one.width, one.height)
		one.drawOn(part)
		d.place(part, one.at)
	}
	return d
}

// place adds the shapes of another drawing with its upper left corner at the point.
func (d *drawing) place(part *drawing, at image.Point) {
	for _, s := range part.shapes {
		switch s := s.(type) {
		case areaShape:
			s.outline.move(at)
			d.add(s)
		case lineShape:
			s.outline.move(at)
			for i := range s.clip {
				s.clip[i] = s.clip[i].Add(at)
			}
			d.add(s)
		case textShape:
			s.X, s.Y = s.X+float64(at.X), s.Y+float64(at.Y)
			for i := range s.glyphs {
				s.glyphs[i].X, s.glyphs[i].Y = s.glyphs[i].X+float64(at.X), s.glyphs[i].Y+float64(at.Y)
			}
			d.add(s)
		case imageShape:
			s.at = s.at.Add(at)
			d.add(s)
		}
	}
}

// move shifts an outline.
func (o outline) move(by image.Point) {
	for i := range o {
		for k := range o[i].size() {
			p := &o[i].points[k]
			p.x, p.y = p.x+float64(by.X), p.y+float64(by.Y)
		}
	}
}
