package exhibit

import (
	"cmp"
	"math"
	"slices"

	"attnatlas/engine"
	"attnatlas/engine/messages"
	"attnatlas/engine/method"
	"attnatlas/engine/metrics"
	"attnatlas/engine/trace"
)

// Scatter compares a mechanism's own map with its influence. Each pair of words within reach has its value in the
// map, and how much the output of one word changes with the other.
type Scatter struct {
	Map      *Exhibit  // the map that the mechanism shows without influence
	Cells    []int     // the pairs, row by row: i·N + j
	Shown    []float64 // A_ij, of the pairs
	Moves    []float64 // ‖∂y_i/∂x_j‖
	Outliers []Outlier // the largest differences, in descending order
	missing  messages.Message
}

// Outlier is a word whose row attends most to one word but changes most with another.
type Outlier struct {
	Row, Reads, Moves int     // positions
	Value             float64 // the weight of the word that the row attends to most
	Moved             float64 // how much the output changes with that word
	Times             float64 // how many times as much the output changes with the other word
}

// mostOutliers is the number of outliers that are described.
const mostOutliers = 2

// Scatter compares the influence that a card shows with the map that it would show otherwise. It returns nil if
// they cannot be compared.
func (s *Selection) Scatter(res *engine.Result) *Scatter {
	choice := s.Choice
	choice.Show, choice.Filter = Maps, Filter{}
	x, err := Select(s.Report, choice).Exhibit(res.ID, "", 0)
	if err != nil {
		return nil
	}
	influence, err := s.Exhibit(res.ID, method.Influence, 0)
	if err != nil {
		return nil
	}
	shown, moves := x.Map, influence.Map
	if !pairs(shown, moves) {
		return &Scatter{Map: x, missing: messages.New("scatter.missing")}
	}
	c := &Scatter{Map: x}
	n := shown.Value.Dim(1)
	for i, v := range moves.Value.Data {
		if shown.Reaches(i/n, i%n) && moves.Reaches(i/n, i%n) {
			c.Cells, c.Shown, c.Moves = append(c.Cells, i), append(c.Shown, float64(shown.Value.Data[i])), append(c.Moves,
				float64(v))
		}
	}
	c.find(shown, moves)
	return c
}

// pairs reports whether a map has a share for every pair of words that influence has.
func pairs(shown, moves trace.Map) bool {
	_, reads := shown.Has(trace.Query)
	_, read := shown.Has(trace.Key)
	return reads && read && shown.Kind != trace.Count && shown.Kind != trace.Category && shown.Value.SameShape(moves.Value)
}

// find collects the rows whose largest values, apart from the row's own word, belong to different words.
func (c *Scatter) find(shown, moves trace.Map) {
	n := shown.Value.Dim(1)
	for i := range n {
		reads, most := top(shown, i), top(moves, i)
		if reads < 0 || most < 0 || reads == most || c.Map.tokens()[i].IsSpecial() {
			continue
		}
		less := float64(moves.Value.At(i, reads))
		if less > 0 {
			c.Outliers = append(c.Outliers, Outlier{i, reads, most, float64(shown.Value.At(i, reads)), less,
				float64(moves.Value.At(i, most)) / less})
		}
	}
	slices.SortStableFunc(c.Outliers, func(a, b Outlier) int {
		return cmp.Compare(b.Value*math.Log(b.Times),
			a.Value*math.Log(a.Times))
	})
	c.Outliers = c.Outliers[:min(len(c.Outliers), mostOutliers)]
}

// top returns the column of a row's largest value apart from the row's own column, or −1 if there is none.
func top(t trace.Map, row int) int {
	best := -1
	for j := range t.Value.Dim(1) {
		if j != row && t.Reaches(row, j) && (best < 0 || t.Value.At(row, j) > t.Value.At(row, best)) {
			best = j
		}
	}
	return best
}

// Rank describes the rank correlation of all pairs, or says why there is none.
func (c *Scatter) Rank() messages.Message {
	if !c.missing.IsZero() {
		return c.missing
	}
	if r := metrics.Spearman(c.Shown, c.Moves); !math.IsNaN(r) {
		return messages.New("scatter.rank", "rank", messages.Number(r), "count", len(c.Shown))
	}
	return messages.New("scatter.alike")
}

// Says returns a sentence for each outlier.
func (c *Scatter) Says() []messages.Message {
	var all []messages.Message
	word := func(i int) string { return messages.Quote(c.Map.tokens()[i].Label()) }
	for _, o := range c.Outliers {
		all = append(all, messages.New("scatter.outlier", "row", word(o.Row), "reads", word(o.Reads), "value",
			messages.Number(o.Value), "moves", word(o.Moves), "times", messages.Number(o.Times)))
	}
	return all
}

// EstimateNote says how influence was estimated. It is zero for exact influence.
func EstimateNote(res *engine.Result) messages.Message {
	e := res.Estimate
	if e == (method.Estimate{}) {
		return messages.Message{}
	}
	return messages.New("note.estimate", "directions", e.Directions, "of", e.Of, "error", messages.Number(100*e.Error))
}
