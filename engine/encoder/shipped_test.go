package encoder_test

import (
	"testing"

	"attnatlas/engine/encoder"
)

// TestShipped: the bundled stacks have the documented sizes, and they have classifiers unless they
// have tasks of pairs.
func TestShipped(t *testing.T) {
	for id, tasks := range map[string]int{"dense": 2, "encoder": 2, "bert": 1, "albert.linformer": 1, "gpt2": 0} {
		c := encoder.Shipped(id, 5000)
		if c.ID() != id || len(c.Tasks) != tasks || c.Vocab != 5000 {
			t.Errorf("%s: %+v", id, c)
		}
		if id != "dense" && (c.Layers != 4 || c.Width != 128 || c.Heads != 4 || c.Inner != 512 ||
			c.Length != encoder.ShippedLength) {
			t.Errorf("%s: %+v", id, c)
		}
	}
	if c := encoder.Shipped("albert", 5000); c.Embed != 32 || c.Tasks[0].Name != encoder.SentenceOrder.Name {
		t.Errorf("%+v", c)
	}
}
