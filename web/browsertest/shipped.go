package browsertest

import (
	"slices"
	"sync"

	"attnatlas/engine"
	"attnatlas/engine/encoder"
)

// Shipped lists the mechanisms and architectures that have a model. One can be in the catalogue before it is
// trained.
var Shipped = sync.OnceValue(func() []string {
	e := engine.New()
	return slices.DeleteFunc(append(engine.IDs(), engine.StackIDs()...), func(id string) bool {
		_, err := e.Info(id)
		return err != nil
	})
})

// ShippedMechanisms lists the mechanisms among them.
func ShippedMechanisms() []string {
	return slices.DeleteFunc(slices.Clone(Shipped()), func(id string) bool { return !slices.Contains(engine.IDs(), id) })
}

// OwnModels lists those with a model of their own: the encoder shows the model of dot product.
func OwnModels() []string {
	return slices.DeleteFunc(slices.Clone(Shipped()), func(id string) bool { return id == encoder.Encoder.ID })
}
