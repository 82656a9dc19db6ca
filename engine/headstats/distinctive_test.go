package headstats

import (
	"slices"
	"testing"
)

// TestLayerHeads: the mean dependence is over the sentences that reach the layer in both orders.
func TestLayerHeads(t *testing.T) {
	var l layerHeads
	l.add([]float64{0.5, 0}, []float64{1, 2})
	l.add(nil, []float64{1, 2})
	l.add([]float64{0.25, 1}, []float64{1, 2})
	if !slices.Equal(l.dependence, []float64{0.375, 0.5}) || !slices.Equal(l.sharpness, []float64{3, 6}) {
		t.Errorf("%+v", l)
	}
}

// TestReversed: words keep their punctuation marks.
func TestReversed(t *testing.T) {
	if got := reversed("The cat, and the dog\n saw it."); got != "it. saw dog the and cat, The" {
		t.Error(got)
	}
}
