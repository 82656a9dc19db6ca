package ad

import (
	"math"
	"math/rand/v2"
	"testing"

	"attnatlas/engine/tensor"
)

func random(r *rand.Rand, shape ...int) *tensor.T {
	t := tensor.New(shape...)
	for i := range t.Data {
		t.Data[i] = Elem(r.NormFloat64())
	}
	return t
}

func near(t *testing.T, name string, got, want *tensor.T) {
	t.Helper()
	for i, w := range want.Data {
		if d := math.Abs(float64(got.Data[i] - w)); d > 1e-6*max(1, math.Abs(float64(w))) {
			t.Errorf("%s[%d] is %v, not %v", name, i, got.Data[i], w)
			return
		}
	}
}

// TestSparseIsDense compares values and gradients of an irregular pattern with dense products under
// the equivalent mask.
func TestSparseIsDense(t *testing.T) {
	const batch, heads, n, m, d = 2, 2, 5, 7, 6
	r := rand.New(rand.NewPCG(1, 2))
	pattern := func(b, a int) Pattern {
		return Pattern{
			{Queries: Span{0, 2}, Keys: []Span{{0, 1 + b}, {3, 6}}},
			{Queries: Span{2, 4}, Keys: []Span{{a, m}}, Cells: cells(2 * (m - a))},
			{Queries: Span{4, 5}},
		}
	}
	q, k, v, w := random(r, batch, n, d), random(r, batch, m, d), random(r, batch, m, d), random(r, batch, n, d)
	layout := NewSparse(batch, heads, n, m, pattern)
	layout.Forbidden, layout.Penalty = -1e9, -2

	tape := NewTape()
	sq, sk, sv := tape.Leaf(q), tape.Leaf(k), tape.Leaf(v)
	a := layout.Softmax(layout.Scores(sq, sk, 0.5))
	sy := layout.Mix(a, sv)
	tape.Backward(Dot(sy, w), tensor.From([]Elem{1}))

	dense := NewTape()
	dq, dk, dv := dense.Leaf(q), dense.Leaf(k), dense.Leaf(v)
	bias, empty := tensor.New(batch, heads, n, m), make([]bool, batch*n)
	for i := range bias.Data {
		bias.Data[i] = -1e9
	}
	for b := range batch {
		for h := range heads {
			for _, k := range pattern(b, h) {
				at := 0
				for q := k.Queries.From; q < k.Queries.To; q++ {
					for _, s := range k.Keys {
						for j := s.From; j < s.To; j++ {
							switch {
							case k.Cells == nil || k.Cells[at] == Open:
								bias.Set(0, b, h, q, j)
							case k.Cells[at] == Penalised:
								bias.Set(-2, b, h, q, j)
							}
							at++
						}
					}
				}
			}
		}
		for i := range n {
			empty[b*n+i] = i < 4
		}
	}
	dy := KeepRows(HeadMix(Softmax(AddScalars(HeadScores(dq, dk, heads, 0.5), bias)), dv), empty)
	dense.Backward(Dot(dy, w), tensor.From([]Elem{1}))
	near(t, "y", sy.Value, dy.Value)
	near(t, "dq", sq.Grad(), dq.Grad())
	near(t, "dk", sk.Grad(), dk.Grad())
	near(t, "dv", sv.Grad(), dv.Grad())
	full := layout.Dense(a.Value)
	for i := range full.Data {
		if outside := bias.Data[i] == -1e9; outside != (full.Data[i] == 0) {
			t.Fatalf("cell %d of the dense map is %v", i, full.Data[i])
		}
	}
}

// cells returns a mixture of all classes, the first one open.
func cells(n int) []Cell {
	out := make([]Cell, n)
	for i := range out {
		out[i] = [...]Cell{Open, Outside, Penalised, Forbidden, Sunk, Open}[i%6]
	}
	return out
}

// TestSparseRowsWithoutAnything: rows with only Outside cells are 0. Rows with only Forbidden or
// only Sunk cells are uniform, and the latter pass the gradient on to their scores.
func TestSparseRowsWithoutAnything(t *testing.T) {
	layout := NewSparse(1, 1, 2, 3, func(int, int) Pattern {
		return Pattern{{Queries: Span{0, 2}, Keys: []Span{{0, 3}},
			Cells: []Cell{Outside, Outside, Outside, Forbidden, Outside, Forbidden}}}
	})
	layout.Forbidden = -1e9
	tape := NewTape()
	x := tape.Leaf(tensor.From([]Elem{1, 2, 3, 4, 5, 6}, 6))
	y := layout.Softmax(x)
	near(t, "weights", y.Value, tensor.From([]Elem{0, 0, 0, 0.5, 0, 0.5}, 6))
	tape.Backward(y, tensor.From([]Elem{1, 2, 3, 4, 5, 6}, 6))
	near(t, "gradient", x.Grad(), tensor.New(6))

	sunk := NewSparse(1, 1, 1, 2, func(int, int) Pattern {
		return Pattern{{Queries: Span{0, 1}, Keys: []Span{{0, 2}}, Cells: []Cell{Sunk, Sunk}}}
	})
	sunk.Forbidden = -1e9
	x = tape.Leaf(tensor.From([]Elem{1, 2}, 2))
	y = sunk.Softmax(x)
	near(t, "weights of sunk cells", y.Value, tensor.From([]Elem{0.5, 0.5}, 2))
	tape.Backward(y, tensor.From([]Elem{1, 0}, 2))
	near(t, "gradient of sunk cells", x.Grad(), tensor.From([]Elem{0.25, -0.25}, 2))
}
