package ad

import (
	"math"
	"testing"

	"attnatlas/engine/tensor"
)

func TestShared(t *testing.T) {
	x, keep := []Elem{1, 900, 2, -3, 5, 5, 900, 899}, []bool{true, false, true, true, false, false, true, true}
	tape := NewTape()
	v := leaf(tape, x, 2, 4)
	y := Shared(v, keep, 0.5)
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
	nothing := Shared(leaf(NewTape(), []Elem{1, 2}, 1, 2), []bool{false, false}, 1e-8)
	expect(t, "nothing kept", nothing.Value, 0, 0)
}
