package ad

import (
	"math"
	"slices"
	"testing"

	"attnatlas/engine/tensor"
)

func leaf(t *Tape, data []Elem, shape ...int) *Var { return t.Leaf(tensor.From(data, shape...)) }

// expect compares numbers that are exact in binary.
func expect(t *testing.T, what string, got *tensor.T, want ...Elem) {
	t.Helper()
	if got == nil || !slices.Equal(got.Data, want) {
		t.Errorf("%s is %v, wanted %v", what, got, want)
	}
}

func TestTile(t *testing.T) {
	tape := NewTape()
	x := leaf(tape, []Elem{1, 2}, 1, 2)
	y := Tile(x, 3)
	expect(t, "y", y.Value, 1, 2, 1, 2, 1, 2)
	tape.Backward(y, tensor.From([]Elem{1, 2, 3, 4, 5, 6}, 3, 1, 2))
	expect(t, "dx", x.Grad(), 9, 12)
}

func TestRowProducts(t *testing.T) {
	tape := NewTape()
	x, z := leaf(tape, []Elem{2, 3, 5, 7}, 2, 2), leaf(tape, []Elem{1, 10, 100, 4, 8, 16}, 2, 3)
	y := RowProducts(x, z, 5) // the first 5 of 6
	expect(t, "y", y.Value, 2, 20, 200, 3, 30, 20, 40, 80, 28, 56)
	tape.Backward(y, tensor.From([]Elem{1, 1, 1, 1, 1, 1, 0, 0, 0, 2}, 2, 5))
	expect(t, "dx", x.Grad(), 111, 11, 4, 16)
	expect(t, "dz", z.Grad(), 5, 5, 2, 5, 14, 0)
}

func TestCombineSharesOneArrayAmongSequences(t *testing.T) {
	tape := NewTape()
	w := leaf(tape, []Elem{2, 3}, 2)
	shared, own := leaf(tape, []Elem{1, 2}, 2), leaf(tape, []Elem{10, 20, 30, 40}, 2, 2)
	y := Combine(w, []*Var{shared, own})
	expect(t, "y", y.Value, 32, 64, 92, 124)
	tape.Backward(y, tensor.From([]Elem{1, 1, 1, 2}, 2, 2))
	expect(t, "dw", w.Grad(), 8, 140)
	expect(t, "d shared", shared.Grad(), 4, 6)
	expect(t, "d own", own.Grad(), 3, 3, 3, 6)
}

func TestShares(t *testing.T) {
	tape := NewTape()
	a := leaf(tape, []Elem{0}, 1)
	y := SigmoidPair(a)
	expect(t, "y", y.Value, 0.5, 0.5)
	tape.Backward(y, tensor.From([]Elem{3, 1}, 2))
	expect(t, "da", a.Grad(), 0.5)
}
func TestShared(t *testing.T) {
	x, keep := []Elem{1, 900, 2, -3, 5, 5, 900, 899}, []bool{true, false, true, true, false, false, true, true}
	tape := NewTape()
	v := leaf(tape, x, 2, 4)
	y := SoftmaxEps(v, keep, 0.5)
	sum := math.Exp(1) + math.Exp(2) + math.Exp(-3) + 0.5
	large := 1 / (1 + math.Exp(-1))
	want := []float64{math.Exp(1) / sum, 0, math.Exp(2) / sum, math.Exp(-3) / sum, 0, 0, large, 1 - large}
	for i, w := range want {
		if math.Abs(float64(y.Value.Data[i])-w) > 1e-6 {
			t.Errorf("share %d is %v, wanted %v", i, y.Value.Data[i], w)
		}
	}
	tape.Backward(y, tensor.From([]Elem{1, 7, 0, 0, 0, 0, 0, 0}, 2, 4))
	a := want[0]
	for i, w := range []float64{a * (1 - a), 0, -a * want[2], -a * want[3], 0, 0, 0, 0} {
		if math.Abs(float64(v.Grad().Data[i])-w) > 1e-6 {
			t.Errorf("gradient %d is %v, wanted %v", i, v.Grad().Data[i], w)
		}
	}
	nothing := SoftmaxEps(leaf(NewTape(), []Elem{1, 2}, 1, 2), []bool{false, false}, 1e-8)
	expect(t, "nothing kept", nothing.Value, 0, 0)
}
