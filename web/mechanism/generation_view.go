package mechanism

import (
	"context"
	"strconv"

	"attnatlas/components"
)

// Generation is the text that a model writes, step by step.
type Generation struct {
	Padding []string // explanation of masks in batches
	Source  []components.TokenChip
	Steps   []GenerationStep // none if there is a problem
	Step    int              // selected step, from 1
	Text    string           // written text
	Verdict components.Badge
	Cut     components.CardCut // words that an ablation has changed
	Maps    []TitledMap
	Layers  []PartLayers
}

// GenerationStep is one token of the answer.
type GenerationStep struct {
	Number  int
	Label   string          // written token
	End     bool            // the token ends the text
	URL     string          // page with this step selected
	Through components.Link // link to its computation; can be empty
	Current bool
	Wrong   string   // right token; empty if the written one is right
	Read    []string // tokens written before, beginning with [CLS]
	P       string   // probability of the written token
	Words   []components.WordProb
}

// TitledMap is a map with its name.
type TitledMap struct {
	Title string
	components.Map
}

// PartLayers holds the layers and heads of one part of a model.
type PartLayers struct {
	Name, Title string
	Rows        []LayerRow
}

// title returns the tooltip of a step's chip.
func (s GenerationStep) title(ctx context.Context) string {
	id := "generation.step"
	if s.Wrong != "" {
		id = "generation.step-wrong"
	}
	return components.T(ctx, id, "number", s.Number, "word", s.Label, "p", s.P, "right", s.Wrong)
}

// classes returns the CSS classes of a step's chip.
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

// panelID returns the id of a step's panel.
func (s GenerationStep) panelID() string { return "step-" + strconv.Itoa(s.Number) }

// stepNow returns aria-current of a step's link.
func stepNow(s GenerationStep) string {
	if s.Current {
		return "step"
	}
	return "false"
}
