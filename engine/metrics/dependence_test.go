package metrics

import (
	"testing"

	"attnatlas/engine/tensor"
	"attnatlas/engine/trace"
)

// TestDependence tests how much the shares of rows change when the words change places.
func TestDependence(t *testing.T) {
	of := func(rows, cols int, v ...tensor.Elem) trace.Map { return trace.Map{Value: tensor.From(v, rows, cols)} }
	before := of(3, 3, 1, 0, 0, 1, 0, 0, 0, 1, 0)
	for name, c := range map[string]struct {
		a, b trace.Map
		want float64
	}{
		"position alone":       {before, before, 0},
		"every row moves":      {before, of(3, 3, 0, 1, 0, 0, 0, 1, 1, 0, 0), 1},
		"one row of three":     {before, of(3, 3, 1, 0, 0, 0, 0, 1, 0, 1, 0), 1. / 3},
		"half of each row":     {before, of(3, 3, .5, .5, 0, .5, 0, .5, 0, .5, .5), 0.5},
		"signs and lengths":    {before, of(3, 3, -7, 0, 0, 2, 0, 0, 0, 3, 0), 0},
		"nothing against all":  {of(1, 2, 0, 0), of(1, 2, 1, 0), 0.5},
		"a shorter text":       {of(2, 2, 1, 0, 0, 1), of(3, 3, 1, 0, 0, 0, 0, 1, 1, 0, 0), 0.5},
		"a longer text":        {of(3, 3, 1, 0, 0, 0, 0, 1, 1, 0, 0), of(2, 2, 1, 0, 0, 1), 0.5},
		"rows of other shares": {of(1, 2, 3, 1), of(1, 2, 1, 3), 0.5},
	} {
		near(t, name, Dependence(c.a, c.b), c.want)
	}
}
