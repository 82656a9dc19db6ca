package metrics

import (
	"math"
	"testing"

	"attnatlas/engine/tensor"
	"attnatlas/engine/trace"
)

// TestProfile tests heads with known profiles.
func TestProfile(t *testing.T) {
	special := []bool{true, false, false, false}
	for name, c := range map[string]struct {
		rows [16]tensor.Elem
		want Profile
	}{
		"all alike":   {[16]tensor.Elem{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, Profile{2, 1.25, .25, .25, .25, .25, .25, 0}},
		"itself":      {[16]tensor.Elem{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}, Profile{0, 0, .25, 0, 0, 1, .25, 1}},
		"before it":   {[16]tensor.Elem{1, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}, Profile{0, .75, .5, 1, 0, .25, .5, 1}},
		"behind it":   {[16]tensor.Elem{0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 1}, Profile{0, .75, 0, 0, 1, .25, 0, 1}},
		"the first":   {[16]tensor.Elem{-2, 0, 0, 0, 3, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0}, Profile{0, 1.5, 1, 1. / 3, 0, .25, 1, 1}},
		"two of each": {[16]tensor.Elem{1, 1, 0, 0, 1, 1, 0, 0, 0, 0, 1, 1, 0, 0, 1, 1}, Profile{1, .5, .25, 1. / 3, 1. / 3, .5, .25, 2 - math.Sqrt2}},
		"nothing":     {[16]tensor.Elem{}, Profile{}},
	} {
		got := ProfileOf(trace.Map{Value: tensor.From(c.rows[:], 4, 4)}, special)
		for i, pair := range [][2]float64{{got.Entropy, c.want.Entropy}, {got.Distance, c.want.Distance}, {got.Sinks, c.want.Sinks},
			{got.Previous, c.want.Previous}, {got.Next, c.want.Next}, {got.Self, c.want.Self}, {got.First, c.want.First},
			{got.Sparsity, c.want.Sparsity}} {
			if math.Abs(pair[0]-pair[1]) > 1e-9 {
				t.Errorf("%s: number %d is %v, want %v", name, i+1, pair[0], pair[1])
			}
		}
	}
}
