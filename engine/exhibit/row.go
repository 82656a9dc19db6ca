package exhibit

import (
	"cmp"
	"math"
	"slices"

	"attnatlas/engine/figure"
	"attnatlas/engine/messages"
	"attnatlas/engine/trace"
)

// Read is one of the columns that a row reads most.
type Read struct {
	Col    int              // from 0
	Amount float64          // ≥ 0, in the unit of the map
	Says   messages.Message // the value with its unit; of stages "after 4 stages"
	Exact  string           // all digits
}

// Most are the columns that a row, counted from 0, reads most, the first of them first, and
// at most n. Of stages until two words meet these are the fewest, and a word's own place is
// none of them. What is forbidden, set aside or not a number is not among them.
func (x *Exhibit) Most(row, n int) []Read {
	g := x.Grid()
	if len(x.Map.Axes) != 2 || row >= g.Rows || x.Map.Kind == trace.Category {
		return nil
	}
	var list []Read
	for col := range g.Cols {
		switch g.Class[row*g.Cols+col] {
		case figure.Value, figure.Tiny, figure.Zero:
			if !x.Counts() || col != row {
				list = append(list, x.read(row, col))
			}
		}
	}
	slices.SortStableFunc(list, func(a, b Read) int {
		if x.Counts() {
			return cmp.Compare(a.Amount, b.Amount)
		}
		return cmp.Compare(b.Amount, a.Amount)
	})
	return list[:min(n, len(list))]
}

func (x *Exhibit) read(row, col int) Read {
	v := x.Map.Value.At(row, col)
	r := Read{Col: col, Amount: math.Abs(float64(v)), Exact: Exact(v)}
	if x.Counts() {
		r.Says = messages.New("reading.after", "count", int(v))
	} else {
		r.Says = x.Says(messages.Number(float64(v)), int(v))
	}
	return r
}

// far says of stages that more of them are not more attention, as in the other maps; zero where amounts are shown.
func (x *Exhibit) far() messages.Message {
	if !x.Counts() {
		return messages.Message{}
	}
	return messages.New("legend.late")
}

// Counts says that the values count stages until two words meet: fewer is nearer.
func (x *Exhibit) Counts() bool {
	_, pairs := x.Map.Has(trace.Query)
	return x.Map.Kind == trace.Count && pairs
}
