package engine

import (
	"attnatlas/engine/attention"
	"attnatlas/engine/encoder"
	"attnatlas/engine/messages"
)

// IDs lists the mechanisms of the catalogue.
func IDs() []string { return attention.IDs() }

// StackIDs lists the architectures (stacks). Each id is a valid request and uses the architecture's own mixer;
// "albert.linformer" is an architecture with another mixer.
func StackIDs() []string { return encoder.StackIDs() }

// Find returns the description of id: a mechanism, an architecture, or both with a point between them. The entry of
// an architecture has the architecture's texts, formula, cost and paper. Everything else, such as the maps of a
// layer, comes from its mixer. The stack is nil for a mechanism alone.
func Find(id string) (entry *attention.Entry, stack *encoder.StackEntry, ok bool) {
	if g := FindGuest(id); g != nil {
		return g.Entry(), g.Stack(), true
	}
	of, mechanism, err := encoder.Parse(id)
	if err != nil {
		return nil, nil, false
	}
	mixer, _ := attention.Find(mechanism) // found by Parse
	if of == "" {
		return mixer, nil, true
	}
	stack, _ = encoder.FindStack(of)
	both := *mixer
	both.ID, both.Texts, both.Forms = id, stack.Texts, nil
	both.Source, both.Formula, both.Cost, both.Paper = stack.Source, stack.Formula, stack.Cost, stack.Paper
	if id != of {
		both.Name = messages.New("stack.shared.with", "stack", stack.Name, "mixer", mixer.Name)
	}
	if stack.Objective == encoder.NextWord && !mixer.Masks.NoCausal.IsZero() {
		return nil, nil, false
	}
	return &both, stack, true
}
