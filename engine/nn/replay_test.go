package nn_test

import (
	"testing"

	"attnatlas/engine/ad"
	"attnatlas/engine/nn"
)

// TestAPartChoosesOnce: a part that is recomputed gets its first choices in the same order. A pass
// that is computed once chooses every time.
func TestAPartChoosesOnce(t *testing.T) {
	count := 0
	choose := func() []int { count++; return []int{count} }
	p := nn.NewPass(ad.NewFrozen())
	var c nn.Replay
	for range 3 {
		part := p.Replay(&c)
		if a, b := part.Choose(choose), part.Choose(choose); a[0] != 1 || b[0] != 2 {
			t.Errorf("%v and %v, wanted 1 and 2", a, b)
		}
	}
	if a, b := p.Choose(choose), p.Choose(choose); a[0] != 3 || b[0] != 4 {
		t.Errorf("without memory %v and %v, wanted 3 and 4", a, b)
	}
}
