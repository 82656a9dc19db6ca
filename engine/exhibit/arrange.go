package exhibit

import (
	"cmp"
	"math"
	"slices"

	"attnatlas/engine"
	"attnatlas/engine/messages"
	"attnatlas/engine/trace"
)

// Order is the order of the tokens along the axes of maps.
type Order string

// Orders of tokens.
const (
	TextOrder  Order = ""
	Similarity Order = "similarity" // tokens that attend alike and are attended to alike stand side by side
)

// Orders lists them as a page offers them.
func Orders() []Order { return []Order{TextOrder, Similarity} }

// String returns the name of the order, as in addresses.
func (o Order) String() string { return cmp.Or(string(o), "text") }

// MostArranged is the largest number of tokens that are put into the order of their similarity: the time for it
// grows with the third power of their number.
const MostArranged = 256

// InTextOrder returns the choice with all tokens in the order of the text.
func (c Choice) InTextOrder() Choice {
	c.Order, c.Words = TextOrder, false
	return c
}

// Shown returns the indices of a mechanism's tokens that its maps show, in their order. It returns nil if they show
// all tokens in the order of the text.
func (s *Selection) Shown(res *engine.Result) []int {
	if s.Choice.Order != Similarity && !s.Choice.Words || KeepsOrder(res) {
		return nil
	}
	order, known := s.orders[res.ID]
	if !known {
		order = s.order(res)
		s.orders[res.ID] = order
	}
	return order
}

// order returns the indices that Shown returns.
func (s *Selection) order(res *engine.Result) []int {
	tokens := s.Report.TokensOf(res)
	shown := s.chosen(res)
	if len(shown) == 0 { // a text without words
		return nil
	}
	if s.Choice.Order == Similarity && len(shown) <= MostArranged {
		shown = s.arrange(res, shown)
	}
	if len(shown) == len(tokens) && slices.IsSorted(shown) {
		return nil
	}
	return shown
}

// chosen returns the indices of the tokens that are not left out, in the order of the text.
func (s *Selection) chosen(res *engine.Result) (indices []int) {
	for i, t := range s.Report.TokensOf(res) {
		if !s.Choice.Words || !t.IsBoundary() {
			indices = append(indices, i)
		}
	}
	return indices
}

// OrderNote says that a mechanism shows its tokens in the order of the text, or all of them, although something else is
// chosen. It returns the zero Message if that is not so.
func (s *Selection) OrderNote(res *engine.Result) messages.Message {
	if s.Choice.Order != Similarity && !s.Choice.Words {
		return messages.Message{}
	}
	if KeepsOrder(res) {
		return messages.New("arrange.kept")
	}
	if n := len(s.chosen(res)); s.Choice.Order == Similarity && n > MostArranged {
		return messages.New("arrange.long", "tokens", n, "most", MostArranged)
	}
	return messages.Message{}
}

// arrange puts tokens into the order of their similarity in the main map of a mechanism, which its other maps follow.
func (s *Selection) arrange(res *engine.Result, tokens []int) []int {
	main, err := s.find(res.ID, "")
	if err != nil {
		return tokens
	}
	m := main.Map
	for len(m.Axes) > 2 {
		m = m.Plane(0)
	}
	profiles := profilesOf(m, tokens, len(s.Report.TokensOf(res)))
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
func KeepsOrder(res *engine.Result) bool {
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
