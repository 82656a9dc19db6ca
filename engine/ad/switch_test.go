package ad

import (
	"math"
	"math/rand/v2"
	"testing"

	"attnatlas/engine/tensor"
)

func noise(r *rand.Rand, shape ...int) *tensor.T {
	x := tensor.New(shape...)
	for i := range x.Data {
		x.Data[i] = Elem(r.NormFloat64() / 2)
	}
	return x
}

// switchTolerance allows for sums of several hundred rows in float32.
const switchTolerance = 2e-3

func mustAgree(t *testing.T, what string, got, want *tensor.T) {
	t.Helper()
	if got == nil || want == nil || got.Len() != want.Len() {
		t.Fatalf("%s: %v, want %v", what, got, want)
	}
	for i, w := range want.Data {
		if d := math.Abs(float64(got.Data[i] - w)); !(d < switchTolerance) {
			t.Fatalf("%s at %d: %g, want %g", what, i, got.Data[i], w)
		}
	}
}

// reverseOf returns the order n−1 … 0, in which every pair changes its order and its place.
func reverseOf(n int) []int {
	from := make([]int, n)
	for i := range from {
		from[i] = n - 1 - i
	}
	return from
}

// TestGatedSwitch: the switch equals the operations that it combines, over several blocks, with and
// without e, and with gradients at all rows or at few.
func TestGatedSwitch(t *testing.T) {
	const b, n, d = 2, 300, 4
	r := rand.New(rand.NewPCG(1, 2))
	x, e := noise(r, b, n, d), noise(r, b, n, d)
	var arrays []*tensor.T
	for _, out := range []int{2 * d, 2 * d, 2 * d, d, d} {
		arrays = append(arrays, noise(r, out, 2*d), noise(r, out))
	}
	arrays = append(arrays, noise(r, d))
	few := tensor.New(b, n, d)
	copy(few.Data[5*d:], x.Data[:3*d])
	copy(few.Data[555*d:], x.Data[:d])
	run := func(kind string, from []int, seed *tensor.T,
		apply func(GatedSwitch, *Var, *Var, []int) *Var) (all []*tensor.T) {
		tape := NewTape()
		vars := []*Var{tape.Leaf(x), tape.Leaf(e)}
		for _, a := range arrays {
			vars = append(vars, tape.Leaf(a))
		}
		p := vars[2:]
		w := GatedSwitch{Affine{p[0], p[1]}, Affine{p[2], p[3]}, Affine{p[4], p[5]}, Affine{p[6], p[7]},
			Affine{p[8], p[9]}, p[10]}
		before := map[string]*Var{"no e": nil, "e": vars[1], "x": vars[0]}[kind]
		y := apply(w, vars[0], before, from)
		tape.Backward(y, seed)
		all = append(all, y.Value)
		for _, v := range vars {
			g := v.Grad()
			if g == nil {
				g = tensor.New(v.Shape()...)
			}
			all = append(all, g)
		}
		return all
	}
	for _, kind := range []string{"no e", "e", "x"} {
		for _, from := range [][]int{nil, reverseOf(n)} {
			for name, seed := range map[string]*tensor.T{"all": e, "few": few} {
				got := run(kind, from, seed, func(w GatedSwitch, x, e *Var, from []int) *Var {
					y, _, _ := w.Apply(x, e, from)
					return y
				})
				want := run(kind, from, seed, func(w GatedSwitch, x, e *Var, from []int) *Var {
					y, _, _ := w.parts(x, e, from)
					return y
				})
				for i := range want {
					mustAgree(t, kind+", slopes at "+name, got[i], want[i])
				}
			}
		}
	}
}

// TestResidualSwitchOfTexts: a batch, of which a block contains several texts, gives the same as
// each text alone.
func TestResidualSwitchOfTexts(t *testing.T) {
	const b, n, d = 7, 60, 4
	r := rand.New(rand.NewPCG(3, 4))
	x, seed := noise(r, b, n, d), noise(r, b, n, d)
	clear(seed.Data[n*d : 3*n*d-d]) // one text without gradients, one with few
	arrays := []*tensor.T{random(r, 4*d, 2*d), noise(r, 4*d), noise(r, 2*d, 4*d), noise(r, 2*d), noise(r, 2*d)}
	run := func(x, seed *tensor.T) (y, dx *tensor.T, grads []*tensor.T) {
		tape := NewTape()
		in := tape.Leaf(x)
		var p []*Var
		for _, a := range arrays {
			p = append(p, tape.Leaf(a))
		}
		out, _ := ResidualSwitch{p[0], p[1], p[2], p[3], p[4], 0.7}.Apply(in, reverseOf(n))
		tape.Backward(out, seed)
		for _, v := range p {
			grads = append(grads, v.Grad())
		}
		return out.Value, in.Grad(), grads
	}
	y, dx, grads := run(x, seed)
	sums := make([]*tensor.T, len(grads))
	for i := range b {
		one := func(a *tensor.T) *tensor.T { return tensor.From(a.Data[i*n*d:][:n*d], 1, n, d) }
		y1, dx1, grads1 := run(one(x), one(seed))
		mustAgree(t, "y", one(y), y1)
		mustAgree(t, "dx", one(dx), dx1)
		for j, g := range grads1 {
			if sums[j] == nil {
				sums[j] = tensor.New(g.Shape...)
			}
			tensor.Add(sums[j].Data, sums[j].Data, g.Data)
		}
	}
	for j, g := range grads {
		mustAgree(t, "the slope of a parameter", g, sums[j])
	}
}
