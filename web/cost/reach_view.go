package cost

import (
	"strconv"
	"strings"

	"attnatlas/components"
)

// ReachView is the page "/reach".
type ReachView struct {
	components.Page
	Problem string // what is wrong with the address; else empty
	Form    SizeForm
	Says    string
	Label   string // of the picture
	Words   int
	Levels  [][]CellRun     // the cells that are heard first after layer 1, 2, …
	Rows    [][]string      // of the table: one for each layer
	Legend  []MechanismLink // every mechanism
	JSON    string
}

// CellRun are cells beside each other.
type CellRun struct{ Row, From, Count int }

// cells is a path around runs, in cells.
func cells(runs []CellRun) string {
	var b strings.Builder
	for _, r := range runs {
		b.WriteString("M" + strconv.Itoa(r.From) + " " + strconv.Itoa(r.Row) + "h" + strconv.Itoa(r.Count) + "v1h-" +
			strconv.Itoa(r.Count) + "z")
	}
	return b.String()
}

// box is the picture's own coordinates.
func (r ReachView) box() string {
	side := strconv.Itoa(r.Words)
	return "0 0 " + side + " " + side
}
