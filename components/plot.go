package components

import (
	"math"
	"strconv"
	"strings"
)

// Plot is a chart with lines and dots, at positions from 0 to 1 along both axes.
type Plot struct {
	ID, Title, Label string
	XTitle, YTitle   string
	X, Y             []Tick
	Lines            []PlotLine
	Dots             []PlotDot
	Mark             *Tick // vertical line; nil: none
}

// PlotLine is a line through points. Class is "other", "chosen" or "formula".
type PlotLine struct {
	Mechanism, Name, Class string
	Points                 []PlotPoint
	Below                  bool // its name is below it
}

// PlotPoint is a position in a plot.
type PlotPoint struct{ X, Y float64 }

// PlotDot is a position with a text. Class is as for lines.
type PlotDot struct {
	PlotPoint
	Mechanism, Class, Says string
}

// path returns a line's path in percent of the plot.
func (l PlotLine) path() string {
	var b strings.Builder
	for i, p := range l.Points {
		b.WriteString(map[bool]string{true: "M", false: "L"}[i == 0])
		b.WriteString(Percent(p.X) + " " + Percent(1-p.Y))
	}
	return b.String()
}

// namedown returns the vertical distance of a line's name from its end.
func (l PlotLine) namedown() string {
	if l.Below {
		return "18"
	}
	return "-9"
}

// last returns the end of a line.
func (l PlotLine) last() PlotPoint { return l.Points[len(l.Points)-1] }

// Percent formats a fraction in percent, with two decimals.
func Percent(x float64) string { return strconv.FormatFloat(math.Round(x*1e4)/1e2, 'f', -1, 64) }

// down returns a position on the vertical axis, for attributes.
func down(y float64) string { return Percent(1-y) + "%" }

// Across returns a position along an axis, in SVG notation.
func Across(at float64) string { return strconv.FormatFloat(100*at, 'f', 2, 64) + "%" }
