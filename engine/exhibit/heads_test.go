package exhibit_test

import (
	"testing"

	"attnatlas/engine/exhibit"
	"attnatlas/engine/fault"
	"attnatlas/engine/trace"
)

// TestEveryHead: HeadSheet has a map for each head of the layer, and ModelSheet one for each head of each layer. A
// mechanism without heads has no sheet.
func TestEveryHead(t *testing.T) {
	one := func() []trace.Map { return []trace.Map{pairs("weights", trace.Probability, 0.5)} }
	r := report(result("dense", one(), one()), result("shuffle-exchange",
		[]trace.Map{over("meeting", trace.Count, 4, trace.Query, trace.Key)}))
	s := exhibit.Select(r, exhibit.Choice{Layer: 2})
	for sheet, layers := range map[string][]int{exhibit.HeadSheet: {2}, exhibit.ModelSheet: {1, 2}} {
		rows, err := s.EveryHead("dense", sheet)
		if err != nil || len(rows) != len(layers) {
			t.Fatalf("%s has %d rows: %v", sheet, len(rows), err)
		}
		for i, row := range rows {
			for head, x := range row {
				if x.Layer.Number != layers[i] || x.Number != head+1 {
					t.Errorf("%s: layer %d, head %d is at %d, %d", sheet, x.Layer.Number, x.Number, i, head)
				}
			}
			if len(row) != heads {
				t.Errorf("%s has %d heads in a row", sheet, len(row))
			}
		}
	}
	if _, err := s.EveryHead("shuffle-exchange", exhibit.ModelSheet); fault.KindOf(err) != fault.NotFound {
		t.Error(err)
	}
}
