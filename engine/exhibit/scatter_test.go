package exhibit_test

import (
	"math"
	"strings"
	"testing"

	"attnatlas/engine"
	"attnatlas/engine/exhibit"
	"attnatlas/engine/method"
	"attnatlas/engine/metrics"
)

// TestScatter compares the map of the bundled models with their influence: every pair once, the rank correlation
// of both, and outliers whose sentences are true.
func TestScatter(t *testing.T) {
	rep, err := engine.New().Inspect(t.Context(),
		engine.Request{Text: "the cat sat on the mat because it was tired",
			Mechanisms: []string{"dot-product", "shuffle-exchange"},
			Method:     method.Measurement{Name: method.Influence, Layer: 2}})
	if err != nil {
		t.Fatal(err)
	}
	s := exhibit.Select(rep, exhibit.Choice{Layer: 2, Head: 1, Show: exhibit.Influence})
	c := s.Scatter(s.Result("dot-product"))
	layer, n := rep.Mechanisms[0].Layers[1], len(rep.Tokens)
	weights, _ := layer.Find("weights")
	influence, _ := layer.Find(method.Influence)
	if c == nil || len(c.Shown) != n*n || len(c.Outliers) == 0 || len(c.Outliers) != len(c.Says()) {
		t.Fatalf("%+v", c)
	}
	for i, v := range c.Shown {
		if v != float64(weights.Value.At(0, i/n, i%n)) || c.Moves[i] != float64(influence.Value.At(i/n, i%n)) {
			t.Fatalf("pair %d is %v and %v", i, v, c.Moves[i])
		}
	}
	if r := metrics.Spearman(c.Shown, c.Moves); math.IsNaN(r) || !strings.Contains(c.Rank().String(), "over 144 pairs") {
		t.Errorf("rank correlation %v: %s", r, c.Rank())
	}
	for i, o := range c.Outliers {
		for j := range n {
			if j != o.Row && (weights.Value.At(0, o.Row, j) > weights.Value.At(0, o.Row, o.Reads) ||
				influence.Value.At(o.Row, j) > influence.Value.At(o.Row, o.Moves)) {
				t.Errorf("%s: but %d is more", c.Says()[i], j)
			}
		}
		if o.Times <= 1 || o.Reads == o.Moves {
			t.Errorf("%+v", o)
		}
	}
	if c := s.Scatter(s.Result("shuffle-exchange")); c == nil || len(c.Shown) > 0 ||
		!strings.Contains(c.Rank().String(), "does not have a weight for every pair") {
		t.Errorf("a network without weights: %+v", c)
	}
}
