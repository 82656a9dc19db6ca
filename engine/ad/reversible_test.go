package ad

import (
	"math/rand/v2"
	"slices"
	"testing"

	"attnatlas/engine/tensor"
)

// agree compares results of recomputed arguments, so its tolerance allows for the rounding of the
// recomputation.
func agree(t *testing.T, name string, got, want *tensor.T) {
	t.Helper()
	largest := tensor.Elem(1)
	for _, v := range want.Data {
		largest = max(largest, v, -v)
	}
	for i, v := range want.Data {
		if d := got.Data[i] - v; d > 1e-5*largest || d < -1e-5*largest {
			t.Fatalf("%s[%d] is %v, not %v", name, i, got.Data[i], v)
		}
	}
}

// couplings are layers with F = tanh(x·W + b) and G = gelu(x·V). One of them shares its weights
// with another layer.
type couplings struct{ w, b, v []*tensor.T }

func newCouplings(r *rand.Rand, layers, d int) *couplings {
	c := &couplings{}
	for range layers {
		c.w, c.b, c.v = append(c.w, random(r, d, d)), append(c.b, random(r, d)), append(c.v, random(r, d, d))
	}
	c.w[layers-1] = c.w[0]
	return c
}

// run computes y and the gradients of Σ weights∘y, first of both arguments and then of each
// distinct parameter.
func (c *couplings) run(t *Tape, x1, x2, weights *tensor.T,
	apply func(x1, x2 *Var, layers []Coupling) (y1, y2 *Var)) (y []*tensor.T, grads []*tensor.T) {
	uses, order := map[*tensor.T]*Var{}, []*Var{}
	use := func(p *tensor.T) *Var {
		if uses[p] == nil {
			uses[p] = t.Leaf(p)
			order = append(order, uses[p])
		}
		return uses[p]
	}
	var layers []Coupling
	for i := range c.w {
		layers = append(layers, Coupling{
			F: func(x *Var) *Var { return Tanh(Linear(x, use(c.w[i]), use(c.b[i]))) },
			G: func(x *Var) *Var {
				return Chunked(x, 2, func(x *Var) *Var { return GELU(Linear(x, use(c.v[i]), nil)) })
			},
		})
	}
	a, b := t.Leaf(x1), t.Leaf(x2)
	y1, y2 := apply(Scale(a, 2), b, layers)
	z := Concat(y1, y2)
	t.Backward(Dot(z, weights), tensor.From([]Elem{1}))
	y = append(y, y1.Value.Clone(), y2.Value.Clone())
	for _, v := range append([]*Var{a, b}, order...) {
		grads = append(grads, v.Grad().Clone())
	}
	return y, grads
}

// stored applies the layers and stores everything.
func stored(x1, x2 *Var, layers []Coupling) (y1, y2 *Var) {
	for _, l := range layers {
		x1 = Add(x1, l.F(x2))
		x2 = Add(x2, l.G(x1))
	}
	return x1, x2
}

// TestReversibleIsStored: values and gradients equal those of stored layers, also on a tape that is
// reused.
func TestReversibleIsStored(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	c := newCouplings(r, 3, 4)
	x1, x2, weights := random(r, 2, 5, 4), random(r, 2, 5, 4), random(r, 2, 5, 8)
	wantY, wantGrads := c.run(NewTape(), x1, x2, weights, stored)
	tape := NewTape()
	for range 3 {
		tape.Reset()
		y, grads := c.run(tape, x1, x2, weights, Reversible)
		for i := range wantY {
			agree(t, "y", y[i], wantY[i])
		}
		if len(grads) != len(wantGrads) {
			t.Fatalf("%d gradients, wanted %d", len(grads), len(wantGrads))
		}
		for i := range wantGrads {
			agree(t, "gradient", grads[i], wantGrads[i])
		}
	}
}

// TestReversibleKeepsItsResult: Backward works on copies.
func TestReversibleKeepsItsResult(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	c := newCouplings(r, 2, 4)
	x1, x2, weights := random(r, 1, 5, 4), random(r, 1, 5, 4), random(r, 1, 5, 8)
	tape := NewTape()
	after, _ := c.run(tape, x1, x2, weights, Reversible)
	before, _ := c.run(NewTape(), x1, x2, weights, stored)
	for i := range before {
		agree(t, "y after Backward", after[i], before[i])
	}
}

// TestInvert: the arguments of every layer are recovered.
func TestInvert(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	tape := NewTape()
	w := tape.Leaf(random(r, 4, 4))
	f := func(x *Var) *Var { return Tanh(Linear(x, w, nil)) }
	layers := []Coupling{{f, f}, {f, f}, {f, f}}
	x1, x2 := tape.Leaf(random(r, 1, 5, 4)), tape.Leaf(random(r, 1, 5, 4))
	var want [][2]*tensor.T
	a, b := x1, x2
	for _, l := range layers {
		want = append(want, [2]*tensor.T{a.Value.Clone(), b.Value.Clone()})
		a, b = stored(a, b, []Coupling{l})
	}
	y1, y2 := Reversible(x1, x2, layers)
	next := len(layers) - 1
	Invert(y1, y2, layers, func(layer int, x1, x2 *tensor.T) {
		if layer != next {
			t.Fatalf("layer %d, wanted %d", layer, next)
		}
		agree(t, "x1", x1, want[layer][0])
		agree(t, "x2", x2, want[layer][1])
		next--
	})
	if next != -1 {
		t.Errorf("%d layers were not gone through", next+1)
	}
}

// TestReversibleHoldsOneLayer: memory does not grow with the number of layers, except for the
// gradients of their weights.
func TestReversibleHoldsOneLayer(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	const n, d = 60, 4
	held := func(layers int, apply func(x1, x2 *Var, layers []Coupling) (y1, y2 *Var)) int {
		c := newCouplings(r, layers, d)
		tape := NewTape()
		c.run(tape, random(r, 1, n, d), random(r, 1, n, d), random(r, 1, n, 2*d), apply)
		return tape.Held()
	}
	if two, eight := held(2, Reversible), held(8, Reversible); eight-two > 6*(2*d*d+d)*8 {
		t.Errorf("2 layers hold %d bytes, 8 layers %d", two, eight)
	}
	if two, eight := held(2, stored), held(8, stored); eight < 3*two {
		t.Errorf("stored, 2 layers hold %d bytes, 8 layers %d: the comparison says nothing", two, eight)
	}
}

// TestChunksAreExact: values and gradients equal those of whole rows, whatever the chunk size.
func TestChunksAreExact(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	x, w, weights := random(r, 3, 7, 4), random(r, 4, 4), random(r, 3, 7, 4)
	run := func(apply func(x *Var, f func(*Var) *Var) *Var) (y, dx, dw *tensor.T) {
		tape := NewTape()
		vx, vw := tape.Leaf(x), tape.Leaf(w)
		z := apply(vx, func(x *Var) *Var { return GELU(Linear(x, vw, nil)) })
		tape.Backward(Dot(Add(z, vx), weights), tensor.From([]Elem{1})) // x is also used elsewhere
		return z.Value, vx.Grad(), vw.Grad()
	}
	wantY, wantX, wantW := run(func(x *Var, f func(*Var) *Var) *Var { return f(x) })
	for _, size := range []int{1, 2, 3, 7, 100} {
		y, dx, dw := run(func(x *Var, f func(*Var) *Var) *Var { return Chunked(x, size, f) })
		agree(t, "y", y, wantY)
		agree(t, "dx", dx, wantX)
		agree(t, "dw", dw, wantW)
	}
	frozen := NewFrozen()
	y := Chunked(frozen.Const(x), 2, func(x *Var) *Var { return GELU(Linear(x, frozen.Const(w), nil)) })
	if !slices.Equal(y.Shape(), x.Shape) {
		t.Fatalf("shape %v", y.Shape())
	}
	agree(t, "y on a frozen tape", y.Value, wantY)
}

// TestComputedAgainDependsOnItsArgumentOnly: a dependence on another Var is rejected, because its
// gradient would be lost.
func TestComputedAgainDependsOnItsArgumentOnly(t *testing.T) {
	tape := NewTape()
	x := tape.Leaf(random(rand.New(rand.NewPCG(1, 1)), 1, 2, 2))
	other := Scale(x, 2)
	for name, f := range map[string]func(*Var) *Var{
		"argument": func(x *Var) *Var { return Add(x, other) },
		"reshaped": func(x *Var) *Var { return Add(x, Reshape(other, 1, 2, 2)) },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("it is accepted")
				}
			}()
			Reversible(x, x, []Coupling{{f, f}})
		})
	}
}

// TestReversibleBackwardAgain: another seed on the same tape gives its own gradients.
func TestReversibleBackwardAgain(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	x1, x2, w := random(r, 1, 5, 4), random(r, 1, 5, 4), random(r, 4, 4)
	run := func(t *Tape) (a, b, vw, z *Var) {
		a, b, vw = t.Leaf(x1), t.Leaf(x2), t.Leaf(w)
		f := func(x *Var) *Var { return Tanh(Linear(x, vw, nil)) }
		y1, y2 := Reversible(a, b, []Coupling{{f, f}, {f, f}})
		return a, b, vw, Concat(y1, y2)
	}
	tape := NewTape()
	a, b, vw, z := run(tape)
	for range 4 {
		seed := random(r, 1, 5, 8)
		tape.Backward(z, seed)
		fresh := NewTape()
		wantA, wantB, wantW, end := run(fresh)
		fresh.Backward(end, seed)
		agree(t, "da", a.Grad(), wantA.Grad())
		agree(t, "db", b.Grad(), wantB.Grad())
		agree(t, "dw", vw.Grad(), wantW.Grad())
	}
}
