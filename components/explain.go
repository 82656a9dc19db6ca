package components

import "strconv"

// Explanation is the page of where a number comes from.
type Explanation struct {
	Page    Page
	Name    string // of the mechanism
	Formula string // its own
	Value   string
	Place   string
	Back    Link
	DataURL string
	Steps   []ExplainStep
}

// ExplainStep is how one number was made.
type ExplainStep struct {
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
	Strips           []ExplainStrip
}

// ExplainStrip are operands of one array.
type ExplainStrip struct {
	Role, Name string
	Numbers    string // all digits, with spaces between
	Cells      []ExplainCell
}

// ExplainCell is one operand.
type ExplainCell struct {
	Fill, Title, URL string
	Own              bool
}

// Sizes of a strip's drawing, in its own units.
const (
	explainCell = 12
	explainRow  = 32 // cells in a line
)

func (s ExplainStrip) width() string {
	return strconv.Itoa(min(len(s.Cells), explainRow) * explainCell)
}

func (s ExplainStrip) height() string {
	return strconv.Itoa((len(s.Cells) + explainRow - 1) / explainRow * explainCell)
}

func (s ExplainStrip) box() string { return "0 0 " + s.width() + " " + s.height() }

func explainX(k int) string { return strconv.Itoa(k % explainRow * explainCell) }
func explainY(k int) string { return strconv.Itoa(k / explainRow * explainCell) }
