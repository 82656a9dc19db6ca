package components

import (
	"math"
	"strconv"
	"strings"
)

// Plot is a chart with lines and dots, at places from 0 to 1 along both axes.
type Plot struct {
	ID, Title, Label string
	XTitle, YTitle   string
	X, Y             []Tick
	Lines            []PlotLine
	Dots             []PlotDot
	Mark             *Tick // a line from top to bottom; nil: none
}

// PlotLine goes through points. Class is "other", "chosen" or "formula".
type PlotLine struct {
	Mechanism, Name, Class string
	Points                 []PlotPoint
	Below                  bool // its name stands below it
}

// PlotPoint is a place.
type PlotPoint struct{ X, Y float64 }

// PlotDot is a place with words to it. Class is as that of lines.
type PlotDot struct {
	PlotPoint
	Mechanism, Class, Says string
}

// path is a line in percent of the plot.
func (l PlotLine) path() string {
	var b strings.Builder
	for i, p := range l.Points {
		b.WriteString(map[bool]string{true: "M", false: "L"}[i == 0])
		b.WriteString(Percent(p.X) + " " + Percent(1-p.Y))
	}
	return b.String()
}

// nameDown is how far from its end a line's name is.
func (l PlotLine) namedown() string {
	if l.Below {
		return "18"
	}
	return "-9"
}

// last is where a line ends.
func (l PlotLine) last() PlotPoint { return l.Points[len(l.Points)-1] }

// Percent is a share in hundredths, to two digits.
func Percent(x float64) string { return strconv.FormatFloat(math.Round(x*1e4)/1e2, 'f', -1, 64) }

// down is a place along the vertical axis, for attributes.
func down(y float64) string { return Percent(1-y) + "%" }

// Across is a place along the axis as SVG has it.
func Across(at float64) string { return strconv.FormatFloat(100*at, 'f', 2, 64) + "%" }
