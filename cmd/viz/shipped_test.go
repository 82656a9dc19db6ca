package main

import (
	"slices"
	"sync"

	"attnatlas/engine"
	"attnatlas/engine/encoder"
)

// shippedIDs are the mechanisms and stacks that have a model to show: one may be in the catalogue before it is trained.
var shippedIDs = sync.OnceValue(func() []string {
	e := engine.New()
	return slices.DeleteFunc(append(engine.IDs(), engine.StackIDs()...), func(id string) bool {
		_, err := e.Info(id)
		return err != nil
	})
})

// shippedMechanisms are the mechanisms among them.
func shippedMechanisms() []string {
	return slices.DeleteFunc(slices.Clone(shippedIDs()), func(id string) bool { return !slices.Contains(engine.IDs(), id) })
}

// ownModels are those that have a model of their own: the encoder shows dot product's.
func ownModels() []string {
	return slices.DeleteFunc(slices.Clone(shippedIDs()), func(id string) bool { return id == encoder.Encoder.ID })
}

// racerCount is how many models guess words: the encoder–decoder writes.
func racerCount() int { return len(ownModels()) - 1 }
