package figure

import (
	"testing"

	"attnatlas/engine/tensor"
	"attnatlas/engine/trace"
)

// TestNoArcsOfNothing: rows of zeros have no arcs, alone or next to others.
func TestNoArcsOfNothing(t *testing.T) {
	g := &Grid{Rows: 2, Cols: 2, Class: []Class{Value, Value, Value, Value}}
	m := trace.Map{Value: tensor.From([]tensor.Elem{0, 0, 0, 0}, 2, 2)}
	for _, row := range []int{-1, 0, 1} {
		if list := ArcsOf(g, m, row); len(list) > 0 {
			t.Errorf("row %d has the arcs %v", row, list)
		}
	}
	m.Value.Data[2] = 0.5
	if list := ArcsOf(g, m, -1); len(list) != 1 || list[0] != (Arc{Row: 1, Share: 1}) {
		t.Errorf("one number that is not 0 has the arcs %v", list)
	}
}
