package wall

import (
	"fmt"
	"math"

	"attnatlas/components"
	"attnatlas/engine/exhibit"
	"attnatlas/engine/figure"
)

// seen is the first exhibit of words and words that answers: the one in whose colours the
// words stand. Nil: there is none.
func (p *View) seen() *exhibit.Exhibit {
	for i := range p.Sel.Report.Mechanisms {
		x, err := p.Sel.Exhibit(p.Sel.Report.Mechanisms[i].ID, "", 0)
		if err == nil && p.Sel.Report.Aligned(x.Result) == nil && len(x.Map.Axes) == 2 && x.Map.Axes[1].Text {
			return x
		}
	}
	return nil
}

// colourWords colours the words of the strip as a mechanism reads them in the pinned row: on the
// scale of its map, but in a palette that begins with the paper, so that what is read stands out.
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

// colour is that of a cell in a palette, as an attribute of a drawing has it, and whether dark
// writing can be read on it; empty where the paper shows.
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

// evenLuminance is where black and white writing have the same contrast (WCAG 2.2).
const evenLuminance = 0.179

// luminance is the relative luminance of a colour (WCAG 2.2).
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
