package wall

import (
	"fmt"
	"math"

	"attnatlas/components"
	"attnatlas/engine/exhibit"
	"attnatlas/engine/figure"
)

// seen returns the first exhibit of words against words, whose colours the words of the strip have. It is nil if
// there is none.
func (p *View) seen() *exhibit.Exhibit {
	for i := range p.Sel.Report.Mechanisms {
		x, err := p.Sel.Exhibit(p.Sel.Report.Mechanisms[i].ID, "", 0)
		if err == nil && p.Sel.Report.Aligned(x.Result) == nil && len(x.Map.Axes) == 2 && x.Map.Axes[1].Text {
			return x
		}
	}
	return nil
}

// colourWords colours the words of the strip by the attention of the pinned row. It uses the scale of the map, but a
// palette that begins with the colour of the paper, so that words with much attention stand out.
func (p *View) colourWords(w *components.Wall) {
	if w.Pin == nil {
		return
	}
	if x := p.seen(); x != nil {
		for c := range min(len(w.Tokens), x.Grid().Cols) {
			w.Tokens[c].Tint, w.Tokens[c].Bright = p.colour(x, figure.Ink, [2]int{w.Pin.Row, c})
		}
		w.Pin.Lens = x.Result.ID
	}
}

// colour returns the colour of a cell in a palette, as an attribute of a drawing, and whether dark letters are
// readable on it. It returns "" where the paper shows.
func (p *View) colour(x *exhibit.Exhibit, in figure.Palette, cell [2]int) (hex string, bright bool) {
	g := x.Grid()
	i := cell[0]*g.Cols + cell[1]
	switch g.Class[i] {
	case figure.Value, figure.Tiny, figure.Zero:
	default:
		return "", false
	}
	e := g.Table(in, p.State.PaperTheme())[g.Index[i]]
	return fmt.Sprintf("#%02x%02x%02x", e[0], e[1], e[2]), luminance(e) > evenLuminance
}

// evenLuminance is the luminance at which black and white letters have the same contrast (WCAG 2.2).
const evenLuminance = 0.179

// luminance returns the relative luminance of a colour (WCAG 2.2).
func luminance(e [3]uint8) float64 {
	total := 0.0
	for i, share := range [...]float64{0.2126, 0.7152, 0.0722} {
		c := float64(e[i]) / 255
		if c <= 0.04045 {
			c /= 12.92
		} else {
			c = math.Pow((c+0.055)/1.055, 2.4)
		}
		total += share * c
	}
	return total
}
