package explain

import (
	"strconv"

	"attnatlas/components"
)

// View is the page of where a number comes from.
type View struct {
	Page    components.Page
	Name    string // of the mechanism
	Formula string // its own
	Value   string
	Place   string
	Back    components.Link
	DataURL string
	Steps   []NumberStep
}

// NumberStep is how one number was made.
type NumberStep struct {
	Name, Place, Tex string // of its array; Tex may be empty
	Value, Exact     string // short, and with all digits
	How              string // the operation in words
	Filled           string // the operation with its numbers; may be empty
	Operation        string
	Function         string
	Own              int
	Scale, Constant  string
	Eps, Size        string
	Given            bool // nothing made it
	Strips           []Strip
}

// Strip are operands of one array.
type Strip struct {
	Role, Name string
	Numbers    string // all digits, with spaces between
	Cells      []Cell
}

// Cell is one operand.
type Cell struct {
	Fill, Title, URL string
	Own              bool
}

// Sizes of a strip's drawing, in its own units.
const (
	explainCell = 12
	explainRow  = 32 // cells in a line
)

func (s Strip) width() string {
	return strconv.Itoa(min(len(s.Cells), explainRow) * explainCell)
}

func (s Strip) height() string {
	return strconv.Itoa((len(s.Cells) + explainRow - 1) / explainRow * explainCell)
}

func (s Strip) box() string { return "0 0 " + s.width() + " " + s.height() }

func placeX(k int) string { return strconv.Itoa(k % explainRow * explainCell) }
func placeY(k int) string { return strconv.Itoa(k / explainRow * explainCell) }
