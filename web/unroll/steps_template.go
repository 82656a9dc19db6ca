package unroll

import (
	"strconv"

	"attnatlas/components"
)

// StepsView is the page of a forward pass, step by step.
type StepsView struct {
	Page     components.Page
	ID, Name string // id and name of the mechanism
	Lead     string
	Back     components.Link
	DataURL  string
	AskURL   string // URL that traces a number, with number=0.0
	Words    []ChoiceLink
	Layers   []ChoiceLink
	Heads    []ChoiceLink
	Planes   []ChoiceLink
	Stack    string // name of the planes: "Stage"
	Steps    []StepView
	Current  int // selected step, from 0
	Row      int // row of the selected token, from 0
}

// ChoiceLink is a link to one of several states of the page.
type ChoiceLink struct {
	components.Link
	Chosen bool
}

// StepView shows one array of the pass.
type StepView struct {
	Key     string
	Section string // heading before it; can be empty
	Name    string
	Number  string // "Step 3 of 25"
	Tex     string
	Say     string
	Shape   string // "12 words × 32 features"
	Map     components.Map
	Reads   bool // the columns are tokens that can be selected
	URL     string
	Source  components.Link // link to the line that computes it; can be empty
	Row     string          // text about the selected token's row, before its cells
	Cells   []wordCell
	// Array, From, Stride and Columns locate a cell in an array whose numbers can be traced. Array is 0
	// if they cannot.
	Array, From, Stride int
	Columns             string // separated by commas; empty: all
}

// wordCell is a cell in words.
type wordCell struct{ Column, Value, URL, Hint string }

// id returns the id of a step's element.
func (s StepView) id() string { return "step-" + components.Slug(s.Key) }

// previous and next return the URLs of the steps before and after the selected one, or "".
func (t StepsView) previous() string { return t.step(t.Current - 1) }
func (t StepsView) next() string     { return t.step(t.Current + 1) }

func (t StepsView) step(i int) string {
	if i < 0 || i >= len(t.Steps) {
		return ""
	}
	return t.Steps[i].URL
}

// words reports whether the rows of a step are the tokens of the text.
func (s StepView) words() string { return strconv.FormatBool(s.Map.Marked > 0) }

// current returns aria-current of a step.
func (t StepsView) current(i int) string {
	if i == t.Current {
		return "step"
	}
	return "false"
}
