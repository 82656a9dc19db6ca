package engine

import (
	"slices"

	"attnatlas/engine/seriation"
	"attnatlas/engine/trace"
)

// MostArranged is the largest number of tokens that are put into the order of their similarity: the time for it
// grows with the third power of their number.
const MostArranged = 256

// Arrangement chooses the tokens along the axes of maps, and their order. The zero Arrangement is the text as it is.
type Arrangement struct {
	Words   bool `json:"words,omitempty"`   // without [CLS] and [SEP], which stand for no word
	Similar bool `json:"similar,omitempty"` // tokens that attend alike and are attended to alike stand side by side
}

// Shown returns the indices of a mechanism's tokens that its maps show, in their order. It returns nil if they show
// all tokens in the order of the text. Their similarity is that of the main map, which the other maps follow; main is
// called only for it.
func (a Arrangement) Shown(r *Report, res *Result, main func() (trace.Map, error)) []int {
	if a == (Arrangement{}) || res.KeepsOrder() {
		return nil
	}
	tokens, shown := r.TokensOf(res), a.Chosen(r, res)
	if len(shown) == 0 { // a text without words
		return nil
	}
	if a.Similar && len(shown) <= MostArranged {
		if m, err := main(); err == nil {
			shown = seriation.Order(m, shown, len(tokens))
		}
	}
	if len(shown) == len(tokens) && slices.IsSorted(shown) {
		return nil
	}
	return shown
}

// Chosen returns the indices of the tokens that are not left out, in the order of the text.
func (a Arrangement) Chosen(r *Report, res *Result) (indices []int) {
	for i, t := range r.TokensOf(res) {
		if !a.Words || !t.IsBoundary() {
			indices = append(indices, i)
		}
	}
	return indices
}

// KeepsOrder reports whether a mechanism shows all tokens in the order of the text, whatever is chosen: some of its maps
// have values that are positions of tokens, or it reads two texts.
func (res *Result) KeepsOrder() bool {
	if len(res.Parts) > 0 {
		return true
	}
	for _, layer := range res.Layers {
		for _, m := range layer.Maps {
			if m.Kind == trace.Category && m.Axes[len(m.Axes)-1].Role != trace.Key {
				return true
			}
		}
	}
	return false
}
