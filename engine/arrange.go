package engine

import (
	"slices"

	"attnatlas/engine/seriation"
	"attnatlas/engine/trace"
)

// MostArranged is the largest number of tokens that are ordered by similarity. The time for it grows with the cube of
// their number.
const MostArranged = 256

// Arrangement chooses the tokens along the axes of maps, and their order. The zero Arrangement is the text as it is.
type Arrangement struct {
	Words   bool `json:"words,omitempty"`   // without the special tokens [CLS] and [SEP]
	Similar bool `json:"similar,omitempty"` // order tokens so that those with similar attention are neighbours
}

// Shown returns the indices of the tokens that a mechanism's maps show, in display order. It returns nil if they are
// all tokens in text order. The main map decides the similarity, and the other maps follow it; main is called only
// for that.
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

// Chosen returns the indices of the tokens that are not left out, in text order.
func (a Arrangement) Chosen(r *Report, res *Result) (indices []int) {
	for i, t := range r.TokensOf(res) {
		if !a.Words || !t.IsBoundary() {
			indices = append(indices, i)
		}
	}
	return indices
}

// KeepsOrder reports whether a mechanism always shows all tokens in text order. That is so if some of its maps hold
// token positions as values, or if it reads two texts.
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
