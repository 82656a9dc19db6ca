package figure

import (
	"cmp"
	"image"
	"image/color"
	"image/draw"
	"math"
	"slices"

	"attnatlas/engine/messages"

	"gonum.org/v1/plot"
)

// footer sets the explanation of the colours, the colour bar and the kinds of empty cells that
// occur. It returns where they end.
func (p *page) footer(y, width float64) float64 {
	if p.spec.over {
		return y
	}
	legend := p.spec.legend(p.grid)
	st := p.style(smallSize, p.colours.Text)
	y = p.paragraph(p.spec.say(legend.Text), st, y+10*p.factor, width-2*margin*p.factor, mostLegend)
	if p.spec.barred {
		return y
	}
	var notes []note
	for _, h := range legend.Hues {
		notes = append(notes, note{text: p.spec.say(h.Text), index: h.Index})
	}
	if legend.Ticks != nil {
		y = p.placeBar(legend.Ticks, y+4*p.factor, width)
	}
	for _, n := range legend.Nothing {
		notes = append(notes, note{text: p.spec.say(n.Text), class: n.Class})
	}
	if b := p.brush(); b.minus && slices.Contains(p.grid.Class, Value) {
		notes = append(notes, note{text: p.spec.say(messages.New("legend.negative")), index: cut(0.25)})
	}
	return p.notes(notes, y, width)
}

// mostLegend is the most lines that explain the colours and excluded cells.
const mostLegend = 6

// placeBar lays out the colour bar below y.
func (p *page) placeBar(ticks []Tick, y, width float64) float64 {
	b := p.plain()
	b.HideY()
	b.X.Padding, b.X.Min, b.X.Max, b.Y.Min, b.Y.Max = 0, 0, 1, 0, 1
	b.X.Tick.Label = p.style(smallSize, p.colours.Text)
	b.X.Tick.Label.XAlign, b.X.Tick.Label.YAlign = -0.5, -1
	p.lines(&b.X)
	if p.grid.Scale.Category {
		b.X.Tick.Length = 0
	}
	marks := make(plot.ConstantTicks, len(ticks))
	left, right := 0.0, 0.0 // how far labels stick out
	long := math.Floor(min(barWidth*p.factor, width-2*margin*p.factor))
	for i, t := range ticks {
		marks[i] = plot.Tick{Value: t.Place, Label: t.Label}
		half := float64(b.X.Tick.Label.Width(t.Label)) / 2
		left, right = max(left, half-t.Place*long), max(right, half-(1-t.Place)*long)
	}
	if left <= 6*p.factor {
		left = 0 // the margin has room for half a digit
	}
	long = math.Floor(min(long, width-2*margin*p.factor-left-right))
	b.X.Tick.Marker = apart(marks, func(t plot.Tick) float64 { return float64(b.X.Tick.Label.Width(t.Label)) / long },
		4*p.factor/long)
	b.Add(bar{p.grid.Table(p.spec.Palette, p.spec.Theme), p.colours.Muted, p.zoom})
	p.bar = placedPlot{plot: b, x: p.left + left, y: y}
	p.bar.width, p.bar.height = fit(b, long, math.Round(barHeight*p.factor))
	p.bar, _ = p.settle(p.bar)
	return p.bar.y + p.bar.height
}

// apart removes labels so that no two labels are closer than a gap. The first and the last label stay. Other labels
// without enough room are emptied, and their tick marks stay. Widths and the gap are fractions of the bar.
func apart(ticks plot.ConstantTicks, width func(plot.Tick) float64, gap float64) plot.ConstantTicks {
	all := slices.Clone(ticks)
	slices.SortStableFunc(all, func(a, b plot.Tick) int { return cmp.Compare(a.Value, b.Value) })
	if len(all) == 0 {
		return all
	}
	last := all[len(all)-1]
	end, free := last.Value-width(last)/2, math.Inf(-1)
	for i, t := range all[:len(all)-1] {
		half := width(t) / 2
		if i > 0 && (t.Value-half < free+gap || t.Value+half > end-gap) {
			all[i].Label = ""
			continue
		}
		free = t.Value + half
	}
	return all
}

// notes lays out classes and kinds of empty cells, as many to a line as fit.
func (p *page) notes(notes []note, y, width float64) float64 {
	if len(notes) == 0 {
		return y
	}
	st := p.style(smallSize, p.colours.Muted)
	side, gap := math.Round(swatchSize*p.factor), 6*p.factor
	x, lineHeight := p.left, max(side+7*p.factor, 1.3*float64(st.Font.Size))
	y += 10 * p.factor
	for _, n := range notes {
		wide := side + gap + float64(st.Width(n.text))
		if x > p.left && x+wide > p.left+width-2*margin*p.factor {
			x, y = p.left, y+lineHeight
		}
		at := image.Pt(int(math.Round(x)), int(math.Round(y)))
		p.swatches = append(p.swatches, swatch{n, image.Rectangle{Min: at, Max: at.Add(image.Pt(int(side), int(side)))}})
		p.texts = append(p.texts, words{n.text, st, x + side + gap, y + (side+0.72*float64(st.Font.Size))/2})
		x += wide + 16*p.factor
	}
	return y + side
}

// swatch paints an example of a class or of a kind of empty cell.
func (b brush) swatch(img *image.RGBA, s swatch) {
	ground, index := b.groundOf(s)
	draw.Draw(img, s.box, image.NewUniform(ground), image.Point{}, draw.Src)
	b.mark(img, s.box, s.class, index)
}

// groundOf returns the colour under a swatch's mark, and its entry in the table.
func (b brush) groundOf(s swatch) (color.RGBA, uint8) {
	index := s.index
	if b.grid.Scale.Signed && s.class == Zero {
		index = cut(0.5)
	}
	switch e := b.table[index]; s.class {
	case Value, Zero, Tiny:
		return color.RGBA{R: e[0], G: e[1], B: e[2], A: 0xff}, index
	case Bad:
		return b.colours.Bad, index
	}
	return b.paper, index
}
