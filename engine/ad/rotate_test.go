package ad

import (
	"testing"

	"attnatlas/engine/tensor"
)

// TestRotate: two features of a head turn by a quarter, and the third stays. The gradient turns
// back.
func TestRotate(t *testing.T) {
	tape := NewTape()
	x := leaf(tape, []Elem{1, 2, 3, 4, 5, 6}, 1, 1, 6) // two heads
	cos, sin := tensor.From([]Elem{0}, 1, 1), tensor.From([]Elem{1}, 1, 1)
	y := Rotate(x, 2, cos, sin)
	expect(t, "y", y.Value, -2, 1, 3, -5, 4, 6)
	tape.Backward(y, tensor.From([]Elem{1, 2, 3, 0, 1, 0}, 1, 1, 6))
	expect(t, "dx", x.Grad(), 2, -1, 3, 1, 0, 0)
	why := NewExplaining()
	again := Rotate(why.Const(x.Value), 2, cos, sin)
	for i, want := range y.Value.Data {
		origin, _ := again.Origin(i)
		if got, _ := origin.Compute(); Elem(got) != want {
			t.Errorf("number %d explained is %v, wanted %v", i, got, want)
		}
	}
}

// TestRotatePairs: neighbouring features turn by a quarter, and the odd one stays. The gradient
// turns back.
func TestRotatePairs(t *testing.T) {
	tape := NewTape()
	x := leaf(tape, []Elem{1, 2, 3, 4, 9, 5, 6, 7, 8, 9}, 1, 1, 10) // two heads
	cos, sin := tensor.From([]Elem{0, 1}, 1, 2), tensor.From([]Elem{1, 0}, 1, 2)
	y := RotatePairs(x, 2, cos, sin)
	expect(t, "y", y.Value, -2, 1, 3, 4, 9, -6, 5, 7, 8, 9)
	tape.Backward(y, tensor.From([]Elem{1, 2, 3, 0, 1, 0, 0, 0, 0, 0}, 1, 1, 10))
	expect(t, "dx", x.Grad(), 2, -1, 3, 0, 1, 0, 0, 0, 0, 0)
	why := NewExplaining()
	again := RotatePairs(why.Const(x.Value), 2, cos, sin)
	for i, want := range y.Value.Data {
		origin, _ := again.Origin(i)
		if got, _ := origin.Compute(); Elem(got) != want {
			t.Errorf("number %d explained is %v, wanted %v", i, got, want)
		}
	}
}

// TestRepeatHeads: every head occurs twice and gets the gradients of both copies.
func TestRepeatHeads(t *testing.T) {
	tape := NewTape()
	x := leaf(tape, []Elem{1, 2, 3, 4}, 1, 1, 4) // two heads
	y := RepeatHeads(x, 2, 2)
	expect(t, "y", y.Value, 1, 2, 1, 2, 3, 4, 3, 4)
	tape.Backward(y, tensor.From([]Elem{1, 0, 2, 1, 0, 0, 0, 5}, 1, 1, 8))
	expect(t, "dx", x.Grad(), 3, 1, 0, 5)
}

// TestPick: all heads have the same choice. An element that is chosen twice gets both gradients.
func TestPick(t *testing.T) {
	tape := NewTape()
	x := leaf(tape, []Elem{1, 2, 3, 4, 5, 6, 7, 8}, 2, 2, 2)
	y := Pick(x, []int{1, 1, 0, 0, 1, 1})
	expect(t, "y", y.Value, 2, 2, 1, 3, 4, 4, 6, 6, 5, 7, 8, 8)
	tape.Backward(y, tensor.From([]Elem{1, 2, 4, 1, 1, 1, 0, 0, 0, 0, 0, 0}, 2, 2, 3))
	expect(t, "dx", x.Grad(), 4, 3, 1, 2, 0, 0, 0, 0)
}
