package encoder_test

import (
	"math"
	"testing"

	"attnatlas/engine/ad"
	"attnatlas/engine/encoder"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
	"attnatlas/engine/trace"
)

// TestClassifiersReadAllWords: with attention pooling, every word has a weight, padding has none,
// and the gradients are correct.
func TestClassifiersReadAllWords(t *testing.T) {
	for _, stack := range []string{"", encoder.Reversible.ID} {
		c := config("dot-product", encoder.PreNorm)
		c.Stack, c.Pooling = stack, encoder.Attention
		m := newModel(t, c)
		p := nn.NewPass(ad.NewTape())
		p.Tape.Backward(loss(m, p), tensor.From([]tensor.Elem{1}))
		for _, w := range m.Params {
			if g := p.Grad(w); g != nil {
				checkDirection(t, m, w, g, loss)
			} else {
				t.Errorf("no gradient arrives at %s", w.Name)
			}
		}

		p = nn.NewPass(ad.NewFrozen())
		p.Run, p.Mask = &trace.Run{}, nn.Mask{Keys: []bool{true, true, true, false}, N: 4}
		m.Classify(p, m.Encode(p, []int{1, 4, 7, 2}, 1), 0)
		a, ok := p.Run.Find("pooling")
		if !ok || len(a.Axes) != 1 || a.Axes[0].Role != trace.Token {
			t.Fatalf("pooling is not shown: %+v", a)
		}
		sum := tensor.Elem(0)
		for i, v := range a.Value.Data {
			if sum += v; (v > 0) != (i < 3) {
				t.Errorf("word %d has the share %v", i, v)
			}
		}
		if math.Abs(float64(sum-1)) > 1e-5 {
			t.Errorf("the shares add up to %v", sum)
		}
	}
	c := config("dot-product", encoder.PreNorm)
	c.Pooling = "maximum"
	if _, err := encoder.New(c, 1); err == nil {
		t.Error("another pooling is accepted")
	}
}
