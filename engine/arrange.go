package engine

import (
	"math"
	"slices"

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
			shown = arrange(m, shown, len(tokens))
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

// arrange puts tokens into the order of their similarity in a map; all is the number of all tokens.
func arrange(m trace.Map, tokens []int, all int) []int {
	for len(m.Axes) > 2 {
		m = m.Plane(0)
	}
	profiles := profilesOf(m, tokens, all)
	if profiles == nil {
		return tokens
	}
	arranged := make([]int, len(tokens))
	for to, from := range seriate(profiles) {
		arranged[to] = tokens[from]
	}
	return arranged
}

// profilesOf returns for each of the tokens its row and its column of a map of one or two axes, one behind the other
// and of length 1. It returns nil if the positions of no axis are those of all tokens.
func profilesOf(m trace.Map, tokens []int, all int) [][]float64 {
	cols := m.Value.Dim(len(m.Axes) - 1)
	rows := len(m.Value.Data) / max(cols, 1)
	byRow := len(m.Axes) == 2 && m.Axes[0].Text && rows == all
	byCol := m.Axes[len(m.Axes)-1].Text && cols == all
	if !byRow && !byCol {
		return nil
	}
	value := func(r, c int) float64 {
		v := float64(m.Value.Data[r*cols+c])
		if math.IsNaN(v) || math.IsInf(v, 0) || len(m.Axes) == 2 && !m.Reaches(r, c) {
			return 0
		}
		return v
	}
	list := make([][]float64, len(tokens))
	for i, t := range tokens {
		if byRow {
			for c := range cols {
				list[i] = append(list[i], value(t, c))
			}
		}
		if byCol {
			for r := range rows {
				list[i] = append(list[i], value(r, t))
			}
		}
		if len(list[i]) > 1 {
			normalise(list[i])
		}
	}
	return list
}

func normalise(v []float64) {
	square := 0.0
	for _, x := range v {
		square += x * x
	}
	if square == 0 {
		return
	}
	for i := range v {
		v[i] /= math.Sqrt(square)
	}
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
