package encoder_test

import (
	"slices"
	"testing"

	"attnatlas/engine/ad"
	"attnatlas/engine/attention"
	"attnatlas/engine/encoder"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
)

// TestBriefStacks: a brief pass has the same result as a normal one, and at most a quarter of its memory.
func TestBriefStacks(t *testing.T) {
	for _, stack := range []string{encoder.Encoder.ID, encoder.ALBERT.ID, encoder.BERT.ID, encoder.GPT2.ID, encoder.Sandwich.ID,
		encoder.Universal.ID, encoder.Reversible.ID} {
		c := stackConfig(t, stack, attention.DotProduct.ID)
		c.Layers = 12
		switch stack {
		case encoder.Reversible.ID:
			c.Options = map[string]string{"memory": "stored"}
		case encoder.Universal.ID: // the number of steps does not depend on the text
			c.Options = map[string]string{"halting": "none"}
		}
		m, err := encoder.New(c, 1)
		if err != nil {
			t.Fatal(stack, err)
		}
		run := func(brief bool) (y *tensor.T, held int) {
			p := nn.NewPass(ad.NewFrozen())
			for range 2 { // the second time in one block of memory
				p.Reset()
				p.Brief = brief
				y = m.Encode(p, []int{1, 2, 3, 4, 5, 6, 7, 8}, 1).Value.Clone()
			}
			return y, p.Tape.Held()
		}
		whole, all := run(false)
		brief, held := run(true)
		if !slices.Equal(whole.Data, brief.Data) || held > all/4 {
			t.Errorf("%s: %d bytes instead of %d; the results are equal: %v", stack, held, all,
				slices.Equal(whole.Data, brief.Data))
		}
	}
}
