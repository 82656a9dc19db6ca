package ad

import (
	"math/rand/v2"
	"testing"

	"attnatlas/engine/tensor"
)

// TestLinearMixIsDense compares the sums and their gradients with products of all pairs, over more
// than two chunks of the running sums.
func TestLinearMixIsDense(t *testing.T) {
	const batch, heads, n = 2, 2, 2*causalChunk + 9
	r := rand.New(rand.NewPCG(5, 6))
	q, k, v, w := random(r, batch, n, 6), random(r, batch, n, 6), random(r, batch, n, 4), random(r, batch, n, 4)
	for _, a := range []*tensor.T{q, k, v, w} { // keeps sums over n near 1
		tensor.Scale(a.Data, 0.1, a.Data)
	}
	for name, mix := range map[string]func(q, k, v *Var, count int) *Var{"all": LinearMix, "causal": CausalLinearMix} {
		later := make([]uint8, n*n)
		for i := range later {
			if name == "causal" && i%n > i/n {
				later[i] = 1
			}
		}
		run := func(mix func(q, k, v *Var) *Var) (y, dq, dk, dv *tensor.T) {
			tape := NewTape()
			vq, vk, vv := tape.Leaf(q), tape.Leaf(k), tape.Leaf(v)
			out := mix(vq, vk, vv)
			tape.Backward(Dot(out, w), tensor.From([]Elem{1}))
			return out.Value, vq.Grad(), vk.Grad(), vv.Grad()
		}
		y, dq, dk, dv := run(func(q, k, v *Var) *Var { return mix(q, k, v, heads) })
		wy, wdq, wdk, wdv := run(func(q, k, v *Var) *Var {
			return HeadMix(Replace(HeadScores(q, k, heads, 1), later,
				Replacement{}), v)
		})
		near(t, name+" y", y, wy)
		near(t, name+" dq", dq, wdq)
		near(t, name+" dk", dk, wdk)
		near(t, name+" dv", dv, wdv)
	}
}
