package cost

import "attnatlas/components"

// View is the page "/cost".
type View struct {
	components.Page
	Problem   string // what is wrong with the address; else empty
	Form      SizeForm
	Measuring Measuring
	Plots     []components.Plot
	Legend    []MechanismLink // every mechanism
	Says      []string        // where the chosen mechanism begins to win
	Tables    []CostTable
	JSON      string
}

// SizeForm has the sizes and options that are counted for.
type SizeForm struct {
	Action     string // path of the page
	Sizes      []components.Slider
	Mechanisms []SizeChoice // that may be looked at
	Chosen     string       // name of the one that is
	Options    []components.Slider
	Hidden     []components.Field // the rest of the address
}

// SizeChoice is one of several.
type SizeChoice struct {
	Value, Label string
	Current      bool
}

// Measuring is how far the measurement is.
type Measuring struct {
	Says    []string
	Done    int
	All     int
	Running bool
	Ask     string // the address to which the button posts; empty: there is none
	Label   string
}

// MechanismLink leads to the page with another mechanism.
type MechanismLink struct {
	components.Link
	ID      string
	Current bool
}

// CostTable is a table whose first column has mechanisms.
type CostTable struct {
	ID, Title string
	Intro     []string
	Head      []string
	Rows      []Row
	Plot      *components.Plot // above it; may be nil
}

// Row is one mechanism's.
type Row struct {
	ID, Name string
	Chosen   bool
	Cells    []Cell // without the name
}

// Cell is text or a formula; words are not set to the right.
type Cell struct {
	Text    string
	Formula string
	Words   bool
}

// number says that a column has numbers, which are set to the right.
func (t CostTable) number(column int) bool {
	return column > 0 && (len(t.Rows) == 0 || !t.Rows[0].Cells[column-1].Words)
}
