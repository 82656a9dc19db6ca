package figure

import (
	"image/color"
	"math"
	"strconv"

	"attnatlas/engine/trace"

	stdfont "golang.org/x/image/font"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Cell sizes, at 96 dots per inch, from which an axis shows all labels, and some of them. Below the
// second size it shows a ruler.
const (
	allLabelsFrom  = 11
	someLabelsFrom = 4
	numbersFrom    = 24 // positions without names get a ruler below this
)

// pen makes the styles of a figure: lettering in pixels times the resolution's
// factor over 96 dots per inch.
type pen struct {
	h       handler
	colours Colours
	factor  float64
	least   float64 // size of the smallest letters, in pixels; 0: none is guaranteed
}

// pixels returns the size of lettering in pixels.
func (p pen) pixels(size float64) float64 { return max(size*p.factor, p.least) }

// letters returns the factor of the smallest lettering. It is larger than factor if the paper guarantees a minimum
// size.
func (p pen) letters() float64 { return max(p.factor, p.least/smallestLetters) }

func (p pen) style(size float64, c color.RGBA) text.Style {
	return text.Style{Color: c, Font: font.Font{Size: vg.Length(p.pixels(size))}, Handler: p.h}
}

func (p pen) bold(size float64) text.Style {
	s := p.style(size, p.colours.Text)
	s.Font.Weight = stdfont.WeightBold
	return s
}

// plain returns a gonum plot with this pen's styles and no other decoration.
func (p pen) plain() *plot.Plot {
	g := plot.New()
	g.BackgroundColor, g.TextHandler = nil, p.h
	g.Title.TextStyle.Handler = p.h
	g.Legend.TextStyle.Handler = p.h
	for _, a := range []*plot.Axis{&g.X, &g.Y} {
		a.Width, a.Padding = 0, vg.Length(3*p.factor)
		a.Tick.Length, a.Tick.Width = 0, 0
		a.Tick.Marker = plot.ConstantTicks(nil)
		a.Label.TextStyle = p.style(12, p.colours.Text)
		a.Label.TextStyle.XAlign, a.Label.TextStyle.YAlign = draw.XCenter, draw.YBottom
		a.Label.Padding = vg.Length(5 * p.factor)
		a.Tick.Label = p.style(11, p.colours.Text)
	}
	g.X.Tick.Label.XAlign, g.X.Tick.Label.YAlign = draw.XCenter, draw.YTop
	g.Y.Tick.Label.XAlign, g.Y.Tick.Label.YAlign = draw.XRight, draw.YCenter
	return g
}

// lines turns tick marks on.
func (p pen) lines(a *plot.Axis) {
	a.Tick.Length = vg.Length(4 * p.factor)
	a.Tick.LineStyle = draw.LineStyle{Color: p.colours.Muted, Width: vg.Length(math.Round(p.factor))}
}

// positions labels an axis of a side whose cells are size pixels wide, as densely as
// they allow.
func (p *page) positions(a *plot.Axis, side side, labels []string, size int) {
	a.Min, a.Max = 0, float64(len(labels))
	cell := float64(size) / p.letters()
	switch {
	case cell < someLabelsFrom || cell < numbersFrom && Numbered(p.spec.axis(side)):
		p.lines(a)
		a.Tick.Label.Color = p.colours.Muted
		a.Tick.Marker = ruler(p.spec.axis(side), len(labels), cell)
		return
	case cell < allLabelsFrom:
		p.lines(a)
		a.Tick.Marker = every(int(math.Ceil(12/cell)), labels)
	default:
		a.Tick.Marker = every(1, labels)
	}
	a.Tick.Label.Font.Size = vg.Length(p.pixels(min(12, max(9.5, float64(size)/p.factor-1.5))))
}

// every labels each k-th cell at its centre.
func every(k int, labels []string) plot.ConstantTicks {
	var ticks plot.ConstantTicks
	for i := 0; i < len(labels); i += k {
		if labels[i] != "" {
			ticks = append(ticks, plot.Tick{Value: float64(i) + 0.5, Label: labels[i]})
		}
	}
	return ticks
}

// ruler numbers the positions of an axis from 1, such as 1, 8, 16, 24, as far apart as the numbers need. Short marks
// stand between them. In a part of a larger map, it uses the position numbers of the larger map.
func ruler(axis trace.Axis, n int, cell float64) plot.ConstantTicks {
	apart := 18.0
	if axis.Number(n-1) > 10 {
		apart = 30
	}
	if axis.Number(n-1) > 100 {
		apart = 44
	}
	step := 1
	for float64(step)*cell < apart {
		step *= 2
	}
	minor := max(1, step/4)
	ticks := plot.ConstantTicks{{Value: 0.5, Label: strconv.Itoa(axis.Number(0))}}
	for i := minor; i <= n; i += minor {
		if i == 1 {
			continue
		}
		t, number := plot.Tick{Value: float64(i) - 0.5}, axis.Number(i-1)
		if axis.Each > 1 { // number of the last position in a pooled cell
			t.Value, number = float64(i), axis.Number(i)-1
		}
		if i%step == 0 {
			t.Label = strconv.Itoa(number)
		}
		ticks = append(ticks, t)
	}
	return ticks
}

// fit finds the size of a canvas on which the plot's data area has the wanted size. It repeats the computation, because
// the margins change slightly when the canvas grows: labels at the ends can stick out.
func fit(p *plot.Plot, width, height float64) (w, h float64) {
	w, h = width, height
	for range 4 {
		got := p.DataCanvas(draw.Canvas{Rectangle: vg.Rectangle{Max: vg.Point{X: vg.Length(w), Y: vg.Length(h)}}}).Size()
		dw, dh := width-float64(got.X), height-float64(got.Y)
		w, h = w+dw, h+dh
		if math.Abs(dw) < 0.01 && math.Abs(dh) < 0.01 {
			break
		}
	}
	return w, h
}
