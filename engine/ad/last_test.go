package ad

import (
	"math/rand/v2"
	"slices"
	"testing"

	"attnatlas/engine/tensor"
)

// TestLast: after Last, a function has the same result, in the memory of its argument. It does not overwrite constants,
// values that Backward needs, or a Var that is used again.
func TestLast(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	given := tensor.New(1, 2, 3, 7)
	for i := range given.Data {
		given.Data[i] = Elem(r.NormFloat64())
	}
	codes := make([]uint8, 21)
	codes[0], codes[9], codes[20] = 1, 2, 1
	for name, f := range map[string]func(*Var) *Var{"GELU": GELU, "GELUTanh": GELUTanh, "Softmax": SoftmaxInPlace,
		"Replace": func(x *Var) *Var {
			return Replace(x, codes, Replacement{Value: 3}, Replacement{Value: 4})
		}} {
		want := f(NewFrozen().Const(given)).Value.Data
		tape := NewFrozen()
		x := Scale(tape.Const(given), 1)
		y := f(x.Last())
		if !slices.Equal(y.Value.Data, want) || &y.Value.Data[0] != &x.Value.Data[0] || y.last {
			t.Errorf("%s: %v, wanted %v in the same memory", name, y.Value.Data, want)
		}
		kept := Scale(tape.Const(given), 1)
		if name != "Softmax" { // which always may
			if f(kept); !slices.Equal(kept.Value.Data, given.Data) {
				t.Errorf("%s writes over a value that is used again", name)
			}
		}
		before := slices.Clone(given.Data)
		if f(tape.Const(given).Last()); !slices.Equal(given.Data, before) {
			t.Errorf("%s writes over a constant", name)
		}
		recording := NewTape()
		kept = Scale(recording.Leaf(given), 1)
		if f(kept.Last()); !slices.Equal(kept.Value.Data, given.Data) {
			t.Errorf("%s writes over a value that Backward needs", name)
		}
	}
}
