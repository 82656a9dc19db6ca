package nn

import (
	"slices"
	"testing"

	"attnatlas/engine/ad"
	"attnatlas/engine/tensor"
)

// TestAddedMaskOfNothing: an added penalty gives the same values as replaced scores. In a row with
// nothing visible, gradients flow back through the sum. They do not flow through later positions,
// which the transformers library also replaces.
func TestAddedMaskOfNothing(t *testing.T) {
	for _, c := range []struct {
		mask Mask
		want []tensor.Elem
	}{
		{Mask{Keys: []bool{false, false}, N: 2}, []tensor.Elem{0.25, -0.25, 0.25, -0.25}},
		{Mask{Pairs: make([]bool, 4), N: 2}, []tensor.Elem{0.25, -0.25, 0.25, -0.25}},
		{Mask{Kind: Causal, Keys: []bool{false, true}, N: 2}, []tensor.Elem{0.25, 0, 0, 0}},
	} {
		run := func(mask Mask) (y, dx []tensor.Elem) {
			tape := ad.NewTape()
			x := tape.Leaf(tensor.From([]tensor.Elem{1, 2, 3, 4}, 1, 2, 2))
			out := ad.Softmax(mask.Apply(x, 0)) // [1,2,2]
			tape.Backward(out, tensor.From([]tensor.Elem{1, 0, 1, 0}, 1, 2, 2))
			return out.Value.Data, x.Grad().Data
		}
		replaced, none := run(c.mask)
		c.mask.Added = true
		added, dx := run(c.mask)
		if !slices.Equal(added, replaced) {
			t.Errorf("%v: %v added, %v replaced", c.mask, added, replaced)
		}
		if !slices.Equal(none, make([]tensor.Elem, 4)) {
			t.Errorf("%v: replaced scores have the gradient %v", c.mask, none)
		}
		if !slices.Equal(dx, c.want) {
			t.Errorf("%v: the gradient is %v, wanted %v", c.mask, dx, c.want)
		}
	}
}
