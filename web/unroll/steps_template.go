package unroll

import (
	"strconv"

	"attnatlas/components"
)

// StepsView is the page of a forward pass, step by step.
type StepsView struct {
	Page     components.Page
	ID, Name string // of the mechanism
	Lead     string
	Back     components.Link
	DataURL  string
	AskURL   string // of where a number comes from: with number=0.0
	Words    []ChoiceLink
	Layers   []ChoiceLink
	Heads    []ChoiceLink
	Planes   []ChoiceLink
	Stack    string // what they are: "Stage"
	Steps    []Step
	Current  int // of the steps, from 0
	Row      int // of the word that is followed, from 0
}

// ChoiceLink is one of several states of the page.
type ChoiceLink struct {
	components.Link
	Chosen bool
}

// Step is one array of the pass.
type Step struct {
	Key     string
	Section string // a heading in front of it; may be empty
	Name    string
	Number  string // "Step 3 of 25"
	Tex     string
	Say     string
	Shape   string // "12 words × 32 features"
	Map     components.Map
	Reads   bool // columns are the words that can be followed
	URL     string
	Source  components.Link // to the line that computes it; may be empty
	Row     string          // what is said of the row of the word that is followed, in front of its cells
	Cells   []Cell
	// Array, From, Stride and Columns say where a cell is in an array that can be asked for; Array 0: it cannot.
	Array, From, Stride int
	Columns             string // with commas between; empty: all
}

// Cell is a cell in words.
type Cell struct{ Column, Value, URL, Hint string }

// id is that of a step's element.
func (s Step) id() string { return "step-" + components.Slug(s.Key) }

// previous and next are the steps beside the one that is looked at; of none the URL is empty.
func (t StepsView) previous() string { return t.step(t.Current - 1) }
func (t StepsView) next() string     { return t.step(t.Current + 1) }

func (t StepsView) step(i int) string {
	if i < 0 || i >= len(t.Steps) {
		return ""
	}
	return t.Steps[i].URL
}

// words says whether the rows of a step are those of the text.
func (s Step) words() string { return strconv.FormatBool(s.Map.Marked > 0) }

// current is aria-current of a step.
func (t StepsView) current(i int) string {
	if i == t.Current {
		return "step"
	}
	return "false"
}
