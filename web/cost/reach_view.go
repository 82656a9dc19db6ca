package cost

import (
	"strconv"
	"strings"

	"attnatlas/components"
)

// ReachView is the page "/reach".
type ReachView struct {
	components.Page
	Problem string // error of the URL; else empty
	Form    SizeForm
	Says    string
	Label   string // alternative text of the picture
	Words   int
	Levels  [][]CellRun     // cells that join the receptive field after layer 1, 2, …
	Rows    [][]string      // rows of the table, one per layer
	Legend  []MechanismLink // all mechanisms
	JSON    string
}

// CellRun is a run of adjacent cells.
type CellRun struct{ Row, From, Count int }

// cells returns an SVG path around runs, in units of cells.
func cells(runs []CellRun) string {
	var b strings.Builder
	for _, r := range runs {
		b.WriteString("M" + strconv.Itoa(r.From) + " " + strconv.Itoa(r.Row) + "h" + strconv.Itoa(r.Count) + "v1h-" +
			strconv.Itoa(r.Count) + "z")
	}
	return b.String()
}

// box returns the view box of the picture.
func (r ReachView) box() string {
	side := strconv.Itoa(r.Words)
	return "0 0 " + side + " " + side
}
