package results

import (
	"strconv"

	"attnatlas/components"
)

// pageView is the page of the results.
type pageView struct {
	components.Page
	Own        bool         // the models belong to the visitor
	Floors     []string     // sentences with the baselines
	Chart      Chart        // of the mechanisms' losses
	Tables     []ModelTable // of mechanisms and of architectures; only tables with rows
	Reasons    []Reason     // why the mechanisms end where they do
	Rates      *ModelTable  // learning rates that were tried; nil: none is known
	Compared   string       // how our models are compared with the papers’
	Summary    string       // of all comparisons
	Papers     []PaperResults
	JSON       string // address of the results as JSON
	Reproduced string // the command that repeats the measurements
}

// Reason says why a mechanism ends where it does. Its example shows the mechanism.
type Reason struct{ Name, Text, Example, URL string }

// ModelTable is a table of models. Its first column has their names.
type ModelTable struct {
	Title, Intro string
	Head         []string
	Text         []bool // columns of words; empty: all columns have numbers
	Rows         []tableRow
}

// text reports whether a column, from 0, has words.
func (t ModelTable) text(column int) bool { return column < len(t.Text) && t.Text[column] }

// wide returns a class that depends on the number of columns.
func (t ModelTable) wide() string {
	switch {
	case len(t.Head) < 5:
		return "few"
	case len(t.Head) > 11:
		return "many"
	}
	return ""
}

// tableRow is the row of a model.
type tableRow struct {
	ID, Name string
	Options  string      // options of the mechanism; may be empty
	Cells    []tableCell // without the name
}

// tableCell is a value of a table.
type tableCell struct {
	Text  string
	Emph  bool   // it is emphasised,
	Label string // with this explanation,
	Note  string // and this visible note; may be empty
}

// PaperResults compares a paper's values with ours, and states the findings.
type PaperResults struct {
	ID                  string
	Title, Table, Found string // Title is empty if the paper before has the same one
	Figures             ModelTable
	Findings            []string // computed sentences
	Why                 []string // paragraphs
}

// Chart is a dot chart: a row for each model, with positions from 0 to 1 along the axis.
type Chart struct {
	Title string
	Label string // alternative text
	Rows  []ChartRow
	Lines []ChartLine
	Ticks []ChartTick
}

// ChartRow is the row of a model: its mean, its range and every seed.
type ChartRow struct {
	Name, Value     string
	Mean, Low, High float64
	Seeds           []float64
}

// ChartLine is a line across all rows, such as a baseline.
type ChartLine struct {
	Name, Class string
	At          float64
}

// ChartTick is a number of the axis.
type ChartTick struct {
	Label string
	At    float64
}

// The style sheet uses the same height of a row.
const (
	chartRow  = 28
	chartHead = 8
	chartFoot = 28
)

func (c Chart) height() string { return strconv.Itoa(c.bottom() + chartFoot) }

// bottom returns the position of the axis, in pixels.
func (c Chart) bottom() int { return chartHead + chartRow*len(c.Rows) }

// y returns the middle of a row.
func (c Chart) y(row int) string { return strconv.Itoa(chartHead + chartRow*row + chartRow/2) }
