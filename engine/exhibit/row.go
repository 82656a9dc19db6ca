package exhibit

import (
	"cmp"
	"math"
	"slices"

	"attnatlas/engine/figure"
	"attnatlas/engine/messages"
	"attnatlas/engine/trace"
)

// Read is one of the columns that a row attends to most.
type Read struct {
	Col    int              // from 0
	Amount float64          // ≥ 0, in the unit of the map
	Says   messages.Message // the value with its unit; for stages "after 4 stages"
	Exact  string           // all digits
}

// Most returns the columns that a row, counted from 0, attends to most: at most n, in descending order. In a map
// that counts stages until two words meet, these are the columns with the fewest stages, without the row's own
// word. Cells that are forbidden, excluded or not a number are left out.
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

// far says, for a count of stages, that a larger number is not more attention, unlike in the other maps. It is
// zero for maps of amounts.
func (x *Exhibit) far() messages.Message {
	if !x.Counts() {
		return messages.Message{}
	}
	return messages.New("legend.late")
}

// Counts reports whether the values count stages until two words meet, where fewer is nearer.
func (x *Exhibit) Counts() bool {
	_, pairs := x.Map.Has(trace.Query)
	return x.Map.Kind == trace.Count && pairs
}
