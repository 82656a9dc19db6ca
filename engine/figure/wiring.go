package figure

import (
	"image"
	"math"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Dimensions of a wiring, at 96 dots per inch and as fractions of the width of a stage.
const (
	stageWidth = 56
	mostPitch  = 20 // distance of slots
	leastPitch = 6
	wiringSize = 704
	switchAt   = 0.17
	wireFrom   = 0.25
)

// wiringCell returns the size of a stage and a slot.
func wiringCell(s Spec, g *Grid) image.Point {
	f := s.factor()
	pitch := s.Scale
	if s.body > 0 && pitch == 0 {
		pitch = s.fitted(g.Cols)
		return image.Pt(max(1, min(int(math.Round(stageWidth*f)), s.fitted(g.Rows))), pitch)
	}
	if pitch == 0 {
		pitch = int(math.Round(float64(max(leastPitch, min(mostPitch, wiringSize/g.Cols))) * f))
	}
	return image.Pt(int(math.Round(stageWidth*f)), pitch)
}

// extent returns the size of the body. The rows of a wiring are stages: stages run to the right and
// slots down.
func (g *Grid) extent(cell image.Point) (width, height int) {
	if g.form == Wiring {
		return g.Rows * cell.X, g.Cols * cell.Y
	}
	return g.Cols * cell.X, g.Rows * cell.Y
}

// wiringPlot returns the plot of a wiring: switches, and a line from the source of each slot, stage
// by stage.
func (p *page) wiringPlot() *plot.Plot {
	g := p.grid
	b := p.plain()
	b.X.Min, b.X.Max = 0, float64(g.Rows)
	marks := make(plot.ConstantTicks, g.Rows)
	for s := range marks {
		marks[s] = plot.Tick{Value: float64(s) + switchAt, Label: strconv.Itoa(s + 1)}
	}
	b.X.Tick.Marker = marks
	p.columns = p.columnsOf(&b.X, float64(p.cell.X))
	p.positions(&b.Y, columnSide, p.spec.labelsOf(columnSide, g.Cols), p.cell.Y)
	b.Y.Scale = plot.InvertedScale{Normalizer: plot.LinearScale{}} // slot 0 on top
	b.Add(wires{p})
	return b
}

// wires is the plotter that draws the lines of a wiring.
type wires struct{ *page }

// Plot draws switches as bars and wires as curves.
func (w wires) Plot(c draw.Canvas, plt *plot.Plot) {
	toX, toY := plt.Transforms(&c)
	line := draw.LineStyle{Color: w.colours.Muted, Width: vg.Length(1.2 * w.factor)}
	bar := draw.LineStyle{Color: w.colours.Text, Width: vg.Length(3 * w.factor)}
	at := func(stage float64, place int) vg.Point {
		return vg.Point{X: toX(stage), Y: toY(float64(place) + 0.5)}
	}
	for s := range w.grid.Rows {
		stage := float64(s)
		for to, v := range w.spec.Map.Value.Sub(s).Data {
			from, mid := int(v), stage+(1+wireFrom)/2
			var path vg.Path
			path.Move(at(stage, from))
			path.Line(at(stage+wireFrom, from))
			path.CubeTo(at(mid, from), at(mid, to), at(stage+1, to))
			c.SetLineStyle(line)
			c.Stroke(path)
		}
		for place := 0; place+1 < w.grid.Cols; place += 2 {
			c.StrokeLines(bar, []vg.Point{at(stage+switchAt, place), at(stage+switchAt, place+1)})
		}
	}
}
