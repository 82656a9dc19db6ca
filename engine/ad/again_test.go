package ad

import (
	"math/rand/v2"
	"slices"
	"testing"

	"attnatlas/engine/tensor"
)

// layer is one attention layer on a tape. The pullbacks of its operations skip rows of zeros.
func layer(t *Tape, x, w *tensor.T) (in, out *Var) {
	in = t.Leaf(x)
	q := Linear(in, t.Leaf(w), nil)
	a := Softmax(HeadScores(q, in, 2, 0.5))
	return in, Linear(HeadMix(a, q), t.Leaf(w), nil)
}

// TestBackwardAgain: each seed gives the same gradient as on a new tape.
func TestBackwardAgain(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	draw := func(shape ...int) *tensor.T {
		a := tensor.New(shape...)
		for i := range a.Data {
			a.Data[i] = Elem(r.NormFloat64())
		}
		return a
	}
	x, w := draw(3, 70, 8), draw(8, 8)
	tape := NewTape()
	in, out := layer(tape, x, w)
	before := slices.Clone(out.Value.Data)
	for i := range 5 {
		seed := draw(3, 70, 8)
		if i > 0 {
			clear(seed.Data[:i*8*45]) // rows of zeros
		}
		tape.Backward(out, seed)
		fresh := NewTape()
		same, end := layer(fresh, x, w)
		fresh.Backward(end, seed)
		if !slices.Equal(in.Grad().Data, same.Grad().Data) {
			t.Errorf("seed %d has another gradient than alone", i)
		}
	}
	if !slices.Equal(before, out.Value.Data) {
		t.Error("the values have changed")
	}
}

// TestBackwardAgainLeavesNoGarbage: after the first call, the memory suffices.
func TestBackwardAgainLeavesNoGarbage(t *testing.T) {
	tape, seed := NewTape(), tensor.New(3, 70, 8)
	_, out := layer(tape, tensor.New(3, 70, 8), tensor.New(8, 8))
	seed.Data[100] = 1
	for range 3 {
		tape.Backward(out, seed)
	}
	block := &tape.numbers.block[0]
	for range 10 {
		tape.Backward(out, seed)
	}
	if &tape.numbers.block[0] != block {
		t.Error("Backward takes new memory every time")
	}
}

// TestZeroRowsAreLeftOut compares products that skip rows with products that do not.
func TestZeroRowsAreLeftOut(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	noise := func(rows, cols int) tensor.Matrix {
		v := tensor.NewMatrix(make([]Elem, rows*cols), rows, cols)
		for i := range v.Data {
			v.Data[i] = Elem(r.NormFloat64())
		}
		return v
	}
	for busy := range 6 {
		x, w := noise(9, 5), noise(5, 7)
		for i := range 9 {
			if i < 3 || i >= 3+busy || i == 5 {
				clear(row(x, i))
			}
		}
		for _, u := range []tensor.Update{tensor.Overwrite, tensor.Accumulate} {
			want := noise(9, 7)
			start := tensor.From(slices.Clone(want.Data), 9, 7)
			tensor.Gemm(want, x, w, 2, u)
			got := tensor.NewMatrix(slices.Clone(start.Data), 9, 7)
			rowsProduct(got, x, w, 2, u)
			alike(t, "rowsProduct", got.Data, want.Data)
			if u == tensor.Accumulate {
				tape := NewTape()
				v := tape.Leaf(start)
				v.add(start.Data)
				tensor.Gemm(want, x, w, -1, tensor.Accumulate) // 2 − 1 = 1 times the product remains
				v.addProduct(x, w)
				alike(t, "addProduct", v.Grad().Data, want.Data)
			}
			sums, back := noise(5, 7), noise(9, 7)
			other := tensor.NewMatrix(slices.Clone(sums.Data), 5, 7)
			tensor.Gemm(sums, x.T(), back, 1, u)
			s := nonzeroSpan(x)
			sumProduct(other, rowsOf(x, s), rowsOf(back, s), 1, u)
			alike(t, "sumProduct", other.Data, sums.Data)
		}
	}
}

func alike(t *testing.T, name string, got, want []Elem) {
	t.Helper()
	for i, v := range got {
		if d := v - want[i]; d > 1e-5 || d < -1e-5 {
			t.Fatalf("%s: element %d is %v, want %v", name, i, v, want[i])
		}
	}
}
