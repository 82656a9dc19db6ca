package ad

import (
	"math"
	"math/rand/v2"
	"testing"

	"attnatlas/engine/tensor"
)

// TestLinearCrossEntropy: computing in blocks of rows gives the same as with all scores at once,
// also if the exponential of a target's probability underflows.
func TestLinearCrossEntropy(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	draw := func(scale float64, shape ...int) *tensor.T {
		a := tensor.New(shape...)
		for i := range a.Data {
			a.Data[i] = Elem(r.NormFloat64() * scale)
		}
		return a
	}
	const rows, in, classes = scoreRows*2 + 5, 12, 70
	x, w, b := draw(1, rows, in), draw(1, classes, in), draw(1, classes)
	b.Data[3] = 300
	targets := make([]int, rows)
	for i := range targets {
		targets[i] = r.IntN(classes)
	}
	for _, bias := range []*tensor.T{b, nil} {
		run := func(loss func(x, w, b *Var) *Var) (l float64, grads []*Var) {
			tape := NewTape()
			grads = []*Var{tape.Leaf(x), tape.Leaf(w)}
			var v *Var
			if bias != nil {
				v = tape.Leaf(bias)
				grads = append(grads, v)
			}
			y := loss(grads[0], grads[1], v)
			tape.Backward(y, tensor.From([]Elem{2.5}))
			return float64(y.Value.Data[0]), grads
		}
		want, a := run(func(x, w, b *Var) *Var { return CrossEntropy(Linear(x, w, b), targets) })
		got, c := run(func(x, w, b *Var) *Var { return LinearCrossEntropy(x, w, b, targets) })
		if math.Abs(got-want) > 1e-6*math.Abs(want) {
			t.Errorf("loss %v, want %v", got, want)
		}
		for k := range a {
			for i, g := range a[k].Grad().Data {
				if math.Abs(float64(g-c[k].Grad().Data[i])) > 1e-5*max(1, math.Abs(float64(g))) {
					t.Fatalf("gradient %d [%d] is %v, want %v", k, i, c[k].Grad().Data[i], g)
				}
			}
		}
	}
}
