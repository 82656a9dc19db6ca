package cost

import (
	"math"
	"strconv"

	"attnatlas/components"
	"attnatlas/engine/attention"
	"attnatlas/engine/costs"
)

// scaleOf is a logarithmic axis.
type scaleOf struct{ from, to float64 }

func (s scaleOf) at(x float64) float64 { return math.Log(x/s.from) / math.Log(s.to/s.from) }

// decades returns an axis between powers of ten that includes all values.
func decades(values []float64) scaleOf {
	least, most := math.Inf(1), 0.0
	for _, v := range values {
		least, most = min(least, v), max(most, v)
	}
	return scaleOf{math.Pow(10, math.Floor(math.Log10(least))), math.Pow(10, math.Ceil(math.Log10(most)+1e-9))}
}

// ticks returns one labelled tick per decade.
func (s scaleOf) ticks(label func(float64) string) (all []components.Tick) {
	for x := s.from; x <= s.to*1.001; x *= 10 {
		all = append(all, components.Tick{Place: s.at(x), Label: label(math.Pow(10, math.Round(math.Log10(x))))})
	}
	return all
}

// growing is a chart of a quantity that grows with the length.
type growing struct {
	id    string
	value func(costs.Point) float64
	label func(float64) string
	// model returns the value of a formula for a length, scaled to the longest point; nil: no formula.
	model func(e *attention.Entry, n int) float64
}

func (v *costView) timePlot() components.Plot {
	return v.growPlot(growing{"time", func(p costs.Point) float64 { return p.Seconds },
		func(x float64) string { return plain(1e3*x) + " ms" },
		func(e *attention.Entry, n int) float64 { return float64(e.FLOPs(measuredConfig(n), n)) }})
}

func (v *costView) bytesPlot() components.Plot {
	return v.growPlot(growing{"bytes", func(p costs.Point) float64 { return float64(p.Bytes + p.Parameters) },
		func(x float64) string { return plain(x/1e6) + " MB" }, nil})
}

// plain formats a power of ten.
func plain(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }

// growPlot draws the points of all mechanisms, and emphasises the selected one and dot product.
func (v *costView) growPlot(g growing) components.Plot {
	lengths := costs.Usual().List
	x := scaleOf{float64(lengths[0]), float64(lengths[len(lengths)-1])}
	var values []float64
	for _, p := range v.m.points {
		values = append(values, g.value(p))
	}
	y := decades(values)
	plot := components.Plot{
		ID: "plot-" + g.id, Title: v.l.T("cost.plot." + g.id), Label: v.l.T("cost.plot." + g.id + "-label"),
		XTitle: v.l.T("cost.plot.x"), Y: y.ticks(g.label),
	}
	for _, n := range lengths {
		plot.X = append(plot.X, components.Tick{Place: x.at(float64(n)), Label: strconv.Itoa(n)})
	}
	if n := v.c.asked.Length; n >= lengths[0] && n <= lengths[len(lengths)-1] {
		plot.Mark = &components.Tick{Place: x.at(float64(n)), Label: "N = " + strconv.Itoa(n)}
	}
	for _, row := range v.rows { // emphasised lines come last, over the others
		if !v.standsOut(row.ID) {
			v.line(&plot, g, row, x, y)
		}
	}
	for _, row := range v.rows {
		if v.standsOut(row.ID) {
			v.line(&plot, g, row, x, y)
		}
	}
	nameApart(plot.Lines)
	return plot
}

// nameApart places the name of the lower of two lines below it, if they end close together.
func nameApart(lines []components.PlotLine) {
	var named []*components.PlotLine
	for i := range lines {
		if lines[i].Class == "chosen" {
			named = append(named, &lines[i])
		}
	}
	if len(named) == 2 {
		a, b := named[0].Points, named[1].Points
		lower := 0
		if a[len(a)-1].Y > b[len(b)-1].Y {
			lower = 1
		}
		named[lower].Below = true
	}
}

func (v *costView) standsOut(id string) bool {
	return id == v.c.entry.ID || id == attention.DotProduct.ID
}

// line adds one mechanism to a chart.
func (v *costView) line(plot *components.Plot, g growing, row costs.MechanismCost, x, y scaleOf) {
	own := costs.PointsOf(v.m.points, row.ID)
	if len(own) == 0 {
		return
	}
	at := func(n int, value float64) components.PlotPoint {
		return components.PlotPoint{X: x.at(float64(n)), Y: y.at(value)}
	}
	l := components.PlotLine{Mechanism: row.ID, Name: v.name(row.ID), Class: "other"}
	for _, p := range own {
		l.Points = append(l.Points, at(p.Length, g.value(p)))
	}
	if !v.standsOut(row.ID) {
		plot.Lines = append(plot.Lines, l)
		return
	}
	l.Class = "chosen"
	if e, _ := attention.Find(row.ID); g.model != nil {
		last := own[len(own)-1]
		scale, behind := g.value(last)/g.model(e, last.Length), components.PlotLine{Mechanism: row.ID, Class: "formula"}
		for _, n := range costs.Usual().List {
			if value := scale * g.model(e, n); value >= y.from && value <= y.to {
				behind.Points = append(behind.Points, at(n, value))
			}
		}
		plot.Lines = append(plot.Lines, behind)
	}
	plot.Lines = append(plot.Lines, l)
	for i, p := range own {
		plot.Dots = append(plot.Dots, components.PlotDot{PlotPoint: l.Points[i], Mechanism: row.ID, Class: "chosen",
			Says: l.Name + ", N = " + strconv.Itoa(p.Length) + ": " + g.said(p)})
	}
	if p := row.At; p != nil {
		plot.Dots = append(plot.Dots, components.PlotDot{PlotPoint: at(p.Length, g.value(*p)), Mechanism: row.ID,
			Class: "own", Says: l.Name + ", N = " + strconv.Itoa(p.Length) + ": " + g.said(*p)})
	}
}

// said returns the value of a point in words.
func (g growing) said(p costs.Point) string {
	if g.model != nil {
		return milliseconds(g.value(p))
	}
	return kilobytes(int64(g.value(p)))
}

// roofPlot draws the roofline of the machine with the mechanisms below it.
func (v *costView) roofPlot(roof costs.Roof) components.Plot {
	intensities, rates := []float64{1}, []float64{roof.Operations}
	var reached []costs.Reached
	var ids []string
	for i, r := range v.rows {
		if r.At == nil {
			continue
		}
		at := roof.Below(&attention.Catalog[i], *r.At, measuredConfig(r.At.Length))
		intensities, rates = append(intensities, at.Intensity), append(rates, at.Rate)
		reached, ids = append(reached, at), append(ids, r.ID)
	}
	x, y := decades(intensities), decades(rates)
	plot := components.Plot{
		ID: "plot-roof", Title: v.l.T("cost.plot.roof"), Label: v.l.T("cost.plot.roof-label"),
		XTitle: v.l.T("cost.plot.intensity"),
		X:      x.ticks(plain), Y: y.ticks(func(r float64) string { return plain(r / 1e9) }), YTitle: v.l.T("cost.plot.rate"),
	}
	ridge := roof.Operations / roof.Bandwidth
	line := components.PlotLine{Class: "roof"}
	for _, at := range []float64{max(x.from, y.from/roof.Bandwidth), min(max(ridge, x.from), x.to), x.to} {
		line.Points = append(line.Points, components.PlotPoint{X: x.at(at), Y: y.at(min(roof.Operations, roof.Bandwidth*at))})
	}
	plot.Lines = []components.PlotLine{line}
	for i, at := range reached {
		class := ""
		if v.standsOut(ids[i]) {
			class = "chosen"
		}
		plot.Dots = append(plot.Dots, components.PlotDot{
			PlotPoint: components.PlotPoint{X: x.at(at.Intensity), Y: y.at(at.Rate)}, Mechanism: ids[i], Class: class,
			Says: v.name(ids[i]) + ": " + threeDigits(at.Rate/1e9),
		})
	}
	return plot
}
