package train

import (
	"reflect"
	"testing"

	"attnatlas/engine/attention"
	"attnatlas/engine/checkpoint"
	"attnatlas/engine/encoder"
	"attnatlas/engine/tokenizer"
)

// TestUnchangedIsShipped: a training run without changes has the configuration of the bundled model.
func TestUnchangedIsShipped(t *testing.T) {
	for _, id := range append(attention.IDs(), encoder.StackIDs()...) {
		file, ok := checkpoint.Header(id)
		if !ok {
			continue // the encoder uses the model of dot product
		}
		var shipped encoder.Config
		if _, err := checkpoint.Describe(file, &shipped); err != nil {
			t.Fatal(err)
		}
		c, err := Changes{}.Model(id, tokenizer.Default().Size())
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(c, shipped) {
			t.Errorf("%s:\n%+v, shipped is\n%+v", id, c, shipped)
		}
	}
}
