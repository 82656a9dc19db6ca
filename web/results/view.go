package results

import (
	"strconv"

	"attnatlas/components"
)

// View is the page of what was measured.
type View struct {
	components.Page
	Own        bool         // the models are the visitor's own
	Floors     []string     // sentences on what the figures are to be read against
	Chart      Chart        // of the mechanisms' losses
	Tables     []ModelTable // of mechanisms, of stacks; those that have rows
	Reasons    []string     // why some mechanisms are far behind
	Rates      *ModelTable  // learning rates that were tried; nil: none is told of
	Summary    string       // of all comparisons
	Papers     []PaperResults
	JSON       string // address of the same as JSON
	Reproduced string // the command that measures the models again
}

// ModelTable is a table of models; the first column has their names.
type ModelTable struct {
	Title, Intro string
	Head         []string
	Rows         []Row
}

// wide is a class by the number of columns.
func (t ModelTable) wide() string {
	switch {
	case len(t.Head) < 5:
		return "few"
	case len(t.Head) > 11:
		return "many"
	}
	return ""
}

// Row is a model's.
type Row struct {
	ID, Name string
	Cells    []Cell // without the name
}

// Cell is a figure.
type Cell struct {
	Text  string
	Emph  bool   // it stands out …
	Label string // … and this is said of it
	Note  string // … as is this, for all to see; may be empty
}

// PaperResults is a paper's figures beside ours, and what follows.
type PaperResults struct {
	ID                  string
	Title, Table, Found string // Title is empty where it is that of the paper before
	Figures             ModelTable
	Findings            []string // computed sentences
	Why                 []string // paragraphs
}

// Chart is a chart of dots: a row for each model, places from 0 to 1 along the axis.
type Chart struct {
	Title string
	Label string // what is drawn, for who cannot see it
	Rows  []ChartRow
	Lines []ChartLine
	Ticks []ChartTick
}

// ChartRow is a model's: the mean, how far it spreads, and every seed.
type ChartRow struct {
	Name, Value     string
	Mean, Low, High float64
	Seeds           []float64
}

// ChartLine is a line across all rows, such as a floor.
type ChartLine struct {
	Name, Class string
	At          float64
}

// ChartTick is a number of the axis.
type ChartTick struct {
	Label string
	At    float64
}

// The sheet has the same height of a row.
const (
	chartRow  = 28
	chartHead = 8
	chartFoot = 28
)

func (c Chart) height() string { return strconv.Itoa(c.bottom() + chartFoot) }

// bottom is where the axis lies, in pixels.
func (c Chart) bottom() int { return chartHead + chartRow*len(c.Rows) }

// y is the middle of a row.
func (c Chart) y(row int) string { return strconv.Itoa(chartHead + chartRow*row + chartRow/2) }
