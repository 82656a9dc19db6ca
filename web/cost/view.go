package cost

import "attnatlas/components"

// pageView is the page "/cost".
type pageView struct {
	components.Page
	Problem   string // error of the URL; else empty
	Form      SizeForm
	Measuring Measuring
	Plots     []components.Plot
	Legend    []MechanismLink // all mechanisms
	Says      []string        // the length from which the selected mechanism is cheaper
	Tables    []CostTable
	JSON      string
}

// SizeForm holds the sizes and options for the counts.
type SizeForm struct {
	Action     string // path of the page
	Sizes      []components.Slider
	Mechanisms []SizeChoice // mechanisms to select from
	Chosen     string       // name of the selected one
	Options    []components.Slider
	Hidden     []components.Field // other parameters of the URL
}

// SizeChoice is one of several values.
type SizeChoice struct {
	Value, Label string
	Current      bool
}

// Measuring is the progress of the measurement.
type Measuring struct {
	Says    []string
	Done    int
	All     int
	Running bool
	Ask     string // URL to which the button posts; empty: none
	Label   string
}

// MechanismLink is a link to the page with another mechanism.
type MechanismLink struct {
	components.Link
	ID      string
	Current bool
}

// CostTable is a table whose first column names mechanisms.
type CostTable struct {
	ID, Title string
	Intro     []string
	Head      []string
	Rows      []tableRow
	Plot      *components.Plot // plot above the table; can be nil
}

// tableRow is the row of one mechanism.
type tableRow struct {
	ID, Name string
	Chosen   bool
	Cells    []costCell // without the name
}

// costCell is text or a formula. Words are not right-aligned.
type costCell struct {
	Text    string
	Formula string
	Words   bool
}

// number reports whether a column has numbers, which are right-aligned.
func (t CostTable) number(column int) bool {
	return column > 0 && (len(t.Rows) == 0 || !t.Rows[0].Cells[column-1].Words)
}
