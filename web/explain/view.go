package explain

import (
	"strconv"

	"attnatlas/components"
)

// pageView is the page "/explain", which traces a number.
type pageView struct {
	Page    components.Page
	Name    string // of the mechanism
	Formula string // formula of the mechanism
	Value   string
	Place   string
	Back    components.Link
	DataURL string
	Steps   []NumberStep
}

// NumberStep describes how one number was computed.
type NumberStep struct {
	Name, Place, Tex string // of its array; Tex can be empty
	Value, Exact     string // short, and with all digits
	How              string // the operation in words
	Filled           string // the operation with its numbers; can be empty
	Operation        string
	Function         string
	Own              int
	Scale, Constant  string
	Eps, Size        string
	Given            bool // a parameter or a constant, not a result
	Strips           []Strip
}

// Strip holds operands of one array.
type Strip struct {
	Role, Name string
	Numbers    string // all digits, separated by spaces
	Cells      []operandCell
}

// operandCell is one operand.
type operandCell struct {
	Fill, Title, URL string
	Own              bool
}

// Sizes of a strip's drawing, in its own units.
const (
	explainCell = 12
	explainRow  = 32 // cells per line
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
