package components

import (
	"math"
	"strconv"
	"strings"
)

// Cost is the page "/cost".
type Cost struct {
	Page
	Problem   string // what is wrong with the address; else empty
	Form      CostForm
	Measuring CostMeasuring
	Plots     []Plot
	Legend    []CostLink // every mechanism
	Says      []string   // where the chosen mechanism begins to win
	Tables    []CostTable
	JSON      string
}

// CostForm has the sizes and options that are counted for.
type CostForm struct {
	Action     string // path of the page
	Sizes      []Slider
	Mechanisms []CostChoice // that may be looked at
	Chosen     string       // name of the one that is
	Options    []Slider
	Hidden     []Field // the rest of the address
}

// Slider is a number to be set, or a choice among a few.
type Slider struct {
	ID, Key, Label, Help string
	Value                string
	From, To, Step       int      // of a number
	Values               []string // of a choice
	Text                 bool     // anything may be written
}

// CostChoice is one of several.
type CostChoice struct {
	Value, Label string
	Current      bool
}

// CostMeasuring is how far the measurement is.
type CostMeasuring struct {
	Says    []string
	Done    int
	All     int
	Running bool
	Ask     string // what the button asks for: now, stop; empty: there is none
	Label   string
}

// CostLink leads to the page with another mechanism.
type CostLink struct {
	Link
	ID      string
	Current bool
}

// CostTable is a table whose first column has mechanisms.
type CostTable struct {
	ID, Title string
	Intro     []string
	Head      []string
	Rows      []CostRow
	Plot      *Plot // above it; may be nil
}

// CostRow is one mechanism's.
type CostRow struct {
	ID, Name string
	Chosen   bool
	Cells    []CostCell // without the name
}

// CostCell is text or a formula; words are not set to the right.
type CostCell struct {
	Text    string
	Formula string
	Words   bool
}

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
		b.WriteString(percent(p.X) + " " + percent(1-p.Y))
	}
	return b.String()
}

// nameDown is how far from its end a line's name is.
func (l PlotLine) nameDown() string {
	if l.Below {
		return "18"
	}
	return "-9"
}

// number says that a column has numbers, which are set to the right.
func (t CostTable) number(column int) bool {
	return column > 0 && (len(t.Rows) == 0 || !t.Rows[0].Cells[column-1].Words)
}

// last is where a line ends.
func (l PlotLine) last() PlotPoint { return l.Points[len(l.Points)-1] }

// percent is a share in hundredths, to two digits.
func percent(x float64) string { return strconv.FormatFloat(math.Round(x*1e4)/1e2, 'f', -1, 64) }

// down is a place along the vertical axis, for attributes.
func down(y float64) string { return percent(1-y) + "%" }
