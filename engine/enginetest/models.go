// Package enginetest provides tests with an engine that has a model for every mechanism.
package enginetest

import (
	"testing"

	"attnatlas/engine"
	"attnatlas/engine/checkpoint"
	"attnatlas/engine/encoder"
	"attnatlas/engine/modelfile"
	"attnatlas/engine/tokenizer"
)

// EveryModel returns an engine with the shipped models. Each mechanism and stack without a shipped model gets an
// untrained one, because a mechanism can be in the catalogue before it is trained.
func EveryModel(t *testing.T) *engine.Engine {
	return engine.NewFrom(func(id string) ([]byte, bool) {
		if data, ok := checkpoint.Embedded(id); ok {
			return data, true
		}
		if _, _, ok := engine.Find(id); !ok || id == encoder.Encoder.ID { // Encoder shows the model of dot product
			return nil, false
		}
		data, err := modelfile.Untrained(encoder.Shipped(id, tokenizer.Default().Size()))
		if err != nil {
			t.Error(err)
		}
		return data, err == nil
	})
}
