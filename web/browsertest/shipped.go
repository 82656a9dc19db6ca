package browsertest

import (
	"slices"
	"sync"

	"attnatlas/engine"
	"attnatlas/engine/encoder"
)

// Shipped are the mechanisms and stacks that have a model to show: one may be in the catalogue before it is trained.
var Shipped = sync.OnceValue(func() []string {
	e := engine.New()
	return slices.DeleteFunc(append(engine.IDs(), engine.StackIDs()...), func(id string) bool {
		_, err := e.Info(id)
		return err != nil
	})
})

// ShippedMechanisms are the mechanisms among them.
func ShippedMechanisms() []string {
	return slices.DeleteFunc(slices.Clone(Shipped()), func(id string) bool { return !slices.Contains(engine.IDs(), id) })
}

// OwnModels are those that have a model of their own: the encoder shows dot product's.
func OwnModels() []string {
	return slices.DeleteFunc(slices.Clone(Shipped()), func(id string) bool { return id == encoder.Encoder.ID })
}
