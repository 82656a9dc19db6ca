// Package metrics measures: it reads maps, and for influence it runs a mixer's
// own gradients.
package metrics

import (
	"math"

	"attnatlas/engine/ad"
	"attnatlas/engine/attention"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
)

// Influence is ‖∂y_i/∂x_j‖_F for every pair of positions: how much the output
// at i moves when the input at j moves, along every path. x [1,N,d] → [N,N].
// It takes N·d backward passes.
func Influence(m attention.Mixer, x *tensor.T, mask nn.Mask) *tensor.T {
	n, d := x.Dim(1), x.Dim(2)
	squares := make([]float64, n*n)
	seed := tensor.New(1, n, d)
	p := nn.NewPass(ad.NewTape())
	for at := range n * d {
		p.Reset()
		p.Mask = mask
		in := p.Tape.Leaf(x)
		y := m.Mix(p, in)
		seed.Data[at] = 1
		p.Tape.Backward(y, seed)
		seed.Data[at] = 0
		if in.Grad() == nil {
			continue
		}
		for k, g := range in.Grad().Data {
			squares[at/d*n+k/d] += float64(g) * float64(g)
		}
	}
	out := tensor.New(n, n)
	for i, s := range squares {
		out.Data[i] = tensor.Elem(math.Sqrt(s))
	}
	return out
}
