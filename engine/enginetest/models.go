// Package enginetest has an engine with a model for every mechanism, for tests.
package enginetest

import (
	"testing"

	"attnatlas/engine"
	"attnatlas/engine/checkpoint"
	"attnatlas/engine/encoder"
	"attnatlas/engine/tokenizer"
)

// EveryModel returns an engine with the shipped models, and with an untrained model for every mechanism and stack that
// has none yet: a mechanism may be in the catalogue before it is trained.
func EveryModel(t *testing.T) *engine.Engine {
	return engine.NewFrom(func(id string) ([]byte, bool) {
		if data, ok := checkpoint.Embedded(id); ok {
			return data, true
		}
		if _, _, ok := engine.Find(id); !ok || id == encoder.Encoder.ID { // which shows dot product's
			return nil, false
		}
		data, err := engine.Untrained(encoder.Shipped(id, tokenizer.Default().Size()))
		if err != nil {
			t.Error(err)
		}
		return data, err == nil
	})
}
