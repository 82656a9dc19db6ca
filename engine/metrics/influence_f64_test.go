//go:build f64

package metrics_test

import (
	"math"
	"testing"

	"attnatlas/engine/ad"
	"attnatlas/engine/attention"
	"attnatlas/engine/metrics"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
)

// differences computes influence by central differences of the mixer's output, with the error of
// order step² removed (Richardson).
func differences(m attention.Mixer, x *tensor.T, mask nn.Mask) *tensor.T {
	n, d := x.Dim(1), x.Dim(2)
	mix := func(at int, by tensor.Elem) *tensor.T {
		moved := x.Clone()
		moved.Data[at] += by
		p := nn.NewPass(ad.NewFrozen())
		p.Mask = mask
		return m.Mix(p, p.Tape.Const(moved)).Value.Clone()
	}
	out, squares := tensor.New(n, n), make([]float64, n*n)
	for at := range n * d {
		slope := func(h tensor.Elem) []float64 {
			up, down := mix(at, h), mix(at, -h)
			s := make([]float64, up.Len())
			for i := range s {
				s[i] = float64(up.Data[i]-down.Data[i]) / (2 * float64(h))
			}
			return s
		}
		const step = 1e-4
		wide, close := slope(step), slope(step/2)
		for i := range wide {
			g := (4*close[i] - wide[i]) / 3
			squares[i/d*n+at/d] += g * g
		}
	}
	for i, s := range squares {
		out.Data[i] = tensor.Elem(math.Sqrt(s))
	}
	return out
}

// TestInfluenceIsWhatMoves: gradients and differences agree, so influence measures how much an
// output changes. The inputs cross neither a kink of a ReLU nor a border between buckets.
func TestInfluenceIsWhatMoves(t *testing.T) {
	for _, e := range attention.Catalog {
		for name, mask := range masksOf(e, 5) {
			t.Run(e.ID+"/"+name, func(t *testing.T) {
				m, x := mixer(t, e, 5)
				compare(t, metrics.Influence(m, x, mask), differences(m, x, mask), 1e-7)
			})
		}
	}
}
