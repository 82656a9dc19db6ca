package figure

import (
	"math"
	"strings"

	"attnatlas/engine/trace"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// columns are the labels of the columns. They are above the body, as on the page; gonum's axis
// would put them below.
type columns struct {
	title   string
	ticks   []plot.Tick // in columns
	pitch   float64     // pixels of a column
	style   text.Style
	upright bool    // the labels are rotated
	mark    float64 // length of the tick marks
	from    float64 // where the title begins, as a fraction of the body; 0: centred
}

// columnsOf copies horizontal labels and tick marks from a plot's axis.
func (p *page) columnsOf(a *plot.Axis, pitch float64) columns {
	title := p.spec.axis(columnSide)
	if p.grid.form == Wiring {
		title = trace.Axis{Role: trace.Stage}
	}
	c := columns{
		title: p.spec.say(Title(title)) + " →", ticks: a.Tick.Marker.Ticks(a.Min, a.Max), pitch: pitch,
		style: a.Tick.Label, mark: float64(a.Tick.Length),
	}
	a.Tick.Marker, a.Tick.Length = plot.ConstantTicks(nil), 0
	return c
}

// titleHeight is the room for the titles of the axes, for letters of 12 pixels.
const titleHeight = 18

// gap returns the distance between labels and body, in pixels.
func (c columns) gap(p *page) float64 { return 3*p.factor + c.mark }

// room returns the height of titles and labels, in pixels.
func (c columns) room(p *page) float64 {
	if c.title == "" {
		return 0
	}
	high := 0.0
	for _, t := range c.ticks {
		if signs := stackedSigns(t.Label); c.upright && signs != nil {
			high = max(high, float64(len(signs))*c.signHeight())
		} else if c.upright {
			high = max(high, float64(c.style.Width(t.Label)))
		} else if t.Label != "" {
			high = max(high, float64(c.style.Font.Size))
		}
	}
	return high + c.gap(p) + 3*p.factor + p.pixels(12)*titleHeight/12
}

// place puts the title above the labels. The body must have its place.
func (c columns) place(p *page) {
	if c.title == "" {
		return
	}
	st := p.style(12, p.colours.Text)
	width, _ := p.grid.extent(p.cell)
	x := float64(p.corner.X) + float64(width)*c.from
	if c.from == 0 {
		x += float64(width)/2 - float64(st.Width(c.title))/2
	}
	y := float64(p.corner.Y) - c.room(p) + p.pixels(12)*11/12
	p.texts = append(p.texts, words{c.title, st, max(x, margin*p.factor), y})
}

// signHeight is the height of a character in a label of stacked characters.
func (c columns) signHeight() float64 { return 1.1 * float64(c.style.Font.Size) }

// draw sets labels and marks.
func (c columns) draw(p *page, s surface) {
	level := c.style
	level.XAlign, level.YAlign = draw.XCenter, draw.YBottom
	st, gap := level, c.gap(p)
	if c.upright {
		st.Rotation, st.XAlign, st.YAlign = math.Pi/2, draw.XLeft, draw.YCenter
		_, down := p.h.vertical(float64(st.Font.Size))
		gap += down // Draw shifts rotated text by this distance
	}
	for _, t := range c.ticks {
		x, y := float64(p.corner.X)+t.Value*c.pitch, s.tall()-float64(p.corner.Y)
		if c.mark > 0 {
			long := c.mark
			if t.Label == "" {
				long /= 2
			}
			var path vg.Path
			path.Move(vg.Point{X: vg.Length(x), Y: vg.Length(y)})
			path.Line(vg.Point{X: vg.Length(x), Y: vg.Length(y + long)})
			s.SetColor(p.colours.Muted)
			s.SetLineWidth(vg.Length(math.Round(p.factor)))
			s.Stroke(path)
		}
		signs := stackedSigns(t.Label)
		switch {
		case t.Label == "":
		case c.upright && signs != nil:
			for i, sign := range signs {
				up := c.gap(p) + float64(len(signs)-1-i)*c.signHeight()
				p.h.Draw(s, sign, level, vg.Point{X: vg.Length(x), Y: vg.Length(y + up)})
			}
		default:
			p.h.Draw(s, t.Label, st, vg.Point{X: vg.Length(x), Y: vg.Length(y + gap)})
		}
	}
}

// stackedSigns returns the characters of a label that stay upright, one above the other, where
// other labels are rotated: Chinese, Japanese and Korean characters and emoji. Superscript numbers
// stay next to their character. Nil: the label has other characters, too.
func stackedSigns(label string) (signs []string) {
	for _, g := range graphemes(label) {
		switch first := []rune(g)[0]; {
		case upright(first):
			signs = append(signs, g)
		case signs != nil && strings.ContainsRune("⁰¹²³⁴⁵⁶⁷⁸⁹", first):
			signs[len(signs)-1] += g
		default:
			return nil
		}
	}
	return signs
}

// upright reports whether a character is as wide as it is high, so that it stays upright in column
// labels.
func upright(r rune) bool {
	return r >= 0x2E80 && r < 0xA4D0 || r >= 0xAC00 && r < 0xD7B0 || r >= 0xF900 && r < 0xFB00 || r >= 0xFF00 &&
		r < 0xFFF0 ||
		r >= 0x2600 && r < 0x27C0 || r >= 0x1F000 && r < 0x20000 || r >= 0x20000 && r < 0x40000
}

// rowTitle returns the title of the rows with its arrow, or an empty string.
func (p *page) rowTitle() string {
	if p.grid.form.stripped() {
		return ""
	}
	return p.spec.say(Title(p.spec.Map.Axes[0])) + " ↓"
}
