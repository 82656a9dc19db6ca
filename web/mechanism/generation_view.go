package mechanism

import (
	"attnatlas/components"
	"context"
	"strconv"
)

// Generation is how a model writes a text, step by step.
type Generation struct {
	Padding []string // what masks do in batches
	Source  []components.TokenChip
	Steps   []GenerationStep // none when there is a problem
	Step    int              // the one that is looked at, from 1
	Text    string           // what was written
	Verdict components.Badge
	Cut     components.CardCut // which words a cut has changed
	Maps    []TitledMap
	Layers  []PartLayers
}

// GenerationStep is one word of the answer.
type GenerationStep struct {
	Number  int
	Label   string          // what was written
	End     bool            // that it was the end
	URL     string          // the page that looks at this step
	Through components.Link // to how it was computed; may be empty
	Current bool
	Wrong   string   // what would have been right here; empty where it was
	Read    []string // what had been written before, beginning with [CLS]
	P       string   // probability of what was written
	Words   []components.WordProb
}

// TitledMap is a map with its name.
type TitledMap struct {
	Title string
	components.Map
}

// PartLayers are the layers and heads of one part of a model.
type PartLayers struct {
	Name, Title string
	Rows        []LayerRow
}

// title is what the chip of a step says to those who point at it.
func (s GenerationStep) title(ctx context.Context) string {
	id := "generation.step"
	if s.Wrong != "" {
		id = "generation.step-wrong"
	}
	return components.T(ctx, id, "number", s.Number, "word", s.Label, "p", s.P, "right", s.Wrong)
}

// classes are the CSS classes of a step's chip.
func (s GenerationStep) classes() string {
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
func (s GenerationStep) panelID() string { return "step-" + strconv.Itoa(s.Number) }

// stepNow marks the chosen step among the links.
func stepNow(s GenerationStep) string {
	if s.Current {
		return "step"
	}
	return "false"
}
