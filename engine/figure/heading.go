package figure

import (
	"image"
	"image/color"
	"math"

	"gonum.org/v1/plot/vg"
)

// headingSize is the size of a heading over one column, in pixels at 96 dots per inch. Over more
// columns it grows with the square root of their number.
const headingSize = 18

// heading is the text above all figures of a poster.
type heading struct {
	pen
	lines         []words
	width, height int
	at            image.Point
	paper         color.RGBA
}

// headed sets a heading above the pages. A long heading gets smaller letters, down to headingSize, to fit on one line.
// If that fails, it gets two lines, with letters down to smallSize. If it still does not fit, it ends in an ellipsis.
func (p *poster) headed(text string, columns int) {
	if text == "" {
		return
	}
	first := p.pages[0].page
	h := &heading{pen: first.pen, width: p.width, paper: first.brush().paper}
	left := margin * h.factor
	for size := headingSize * math.Sqrt(float64(columns)); ; size *= 0.8 {
		st := h.style(size, h.colours.Text)
		room := float64(p.width) - 2*left
		lines := h.h.wrap(visible(text), st, room, 3)
		if len(lines) > 1 && size > headingSize || len(lines) > 2 && size > smallSize {
			continue
		}
		up, down := h.h.vertical(float64(st.Font.Size))
		y := left
		for _, l := range h.h.wrap(visible(text), st, room, 2) {
			h.lines = append(h.lines, words{l, st, left, y + up})
			y += (up + down) * 1.12
		}
		h.height = int(math.Ceil(y))
		break
	}
	for i := range p.pages {
		p.pages[i].at.Y += h.height
	}
	p.heading, p.height = h, p.height+h.height
}

// drawOn writes the lines.
func (h *heading) drawOn(s surface) {
	for _, l := range h.lines {
		h.h.Draw(s, l.text, l.style, vg.Point{X: vg.Length(l.x), Y: vg.Length(s.tall() - l.y)})
	}
}
