package metrics_test

import (
	"testing"

	"attnatlas/engine/attention"
	"attnatlas/engine/metrics"
	"attnatlas/engine/nn"
)

// cutsOf returns ablations of a mechanism with two heads: a word, a head, cells, and words together
// with a head.
func cutsOf(e attention.Entry) map[string]nn.Mask {
	all := map[string]nn.Mask{}
	add := func(name string, c nn.Cut) {
		all[name] = nn.Mask{Cut: &c}
		if e.Masks.NoCausal.IsZero() {
			all[name+" causal"] = nn.Mask{Kind: nn.Causal, Cut: &c}
		}
	}
	if e.Masks.NoPadding.IsZero() {
		add("words", nn.Cut{Words: []int{0, 4}})
	}
	if e.NoHeads.IsZero() {
		add("head", nn.Cut{Heads: []bool{false, true}})
	}
	if e.Masks.NoPairs.IsZero() {
		add("cells", nn.Cut{Cells: []nn.CutCell{{Head: 1, Query: 2, Key: 0}, {Head: -1, Query: 5, Key: 5}}})
	}
	if e.Masks.NoPadding.IsZero() && e.NoHeads.IsZero() {
		add("words and head", nn.Cut{Words: []int{3}, Heads: []bool{true, false}})
	}
	return all
}

// TestInfluenceOfWhatIsLeft: the fast and the slow computation also agree under ablations.
func TestInfluenceOfWhatIsLeft(t *testing.T) {
	const n = 7
	for _, e := range attention.Catalog {
		for name, mask := range cutsOf(e) {
			t.Run(e.ID+"/"+name, func(t *testing.T) {
				m, x := mixer(t, e, n)
				compare(t, metrics.Influence(m, x, mask), slow(m, x, mask), 1e-5)
			})
		}
	}
}
