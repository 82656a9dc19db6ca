package components

import "strconv"

// Writing is the page "/m/encoder-decoder": a text is read, and another written.
type Writing struct {
	Page
	Name, Summary string
	Formulas      []string // in the notation of package formula
	Story         []string
	Padding       []string // what masks do in batches
	Untrained     string   // why nothing can be written, whatever the text is; else empty
	Action        string   // of the form
	Text          string   // as the visitor sent it
	TextName      string   // key in the URL
	Problem       string   // why nothing was written; else empty
	Examples      []Example
	Controls      []Select
	Source        []Token
	Steps         []WritingStep // none when there is a problem
	Step          int           // the one that is looked at, from 1
	StepField     Field         // keeps the step in the form
	Written       string
	Verdict       Badge
	Maps          []WritingMap
	Layers        []WritingLayers
	Facts         []Fact // of the model
	Background    Background
	Choices       Choices
	Differences   Differences
	Downloads     []Link
	DataURL       string // /api/v1/write?… of this state
	// Other pages with the same text.
	Previous, Next, Back Link
}

// WritingStep is one word of the answer.
type WritingStep struct {
	Number  int
	Label   string // what was written
	End     bool   // that it was the end
	URL     string // the page that looks at this step
	Current bool
	Wrong   string   // what would have been right here; empty where it was
	Read    []string // what had been written before, beginning with [CLS]
	P       string   // probability of what was written
	Words   []Likely
}

// Likely is a word with its probability.
type Likely struct {
	Label string
	P     string  // "0.621"
	Exact string  // all digits
	Share float64 // 0…1, the length of the bar
	Right bool    // it is what should have been taken, or what was hidden
}

// WritingMap is one of the maps with its name.
type WritingMap struct {
	Title string
	View
}

// WritingLayers are the layers and heads of one kind of maps.
type WritingLayers struct {
	Name, Title string
	Rows        []LayerRow
}

// title is what the chip of a step says to those who point at it.
func (s WritingStep) title() string {
	says := "step " + strconv.Itoa(s.Number) + ": " + s.Label + " with probability " + s.P
	if s.Wrong != "" {
		says += "; right would be " + s.Wrong
	}
	return says
}

// classes are the CSS classes of a step's chip.
func (s WritingStep) classes() string {
	class := "token step"
	if s.End {
		class += " special"
	}
	if s.Wrong != "" {
		class += " wrong"
	}
	return class
}

// panelID is the id of what is told of a step.
func (s WritingStep) panelID() string { return "step-" + strconv.Itoa(s.Number) }

// width is the length of a bar in percent.
func (l Likely) width() string { return strconv.FormatFloat(100*l.Share, 'f', 2, 64) }

// stepNow marks the chosen step among the links.
func stepNow(s WritingStep) string {
	if s.Current {
		return "step"
	}
	return "false"
}
