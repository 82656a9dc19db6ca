package engine

import (
	"attnatlas/engine/attention"
	"attnatlas/engine/encoder"
	"attnatlas/engine/messages"
)

// IDs lists the mechanisms of the catalogue.
func IDs() []string { return attention.IDs() }

// StackIDs lists the stacks. Every one is also an answer to a request, with its own
// mixer; "albert.linformer" is a stack with another.
func StackIDs() []string { return encoder.StackIDs() }

// Find describes what a request calls id: a mechanism, a stack, or both with a
// point between them. Of a stack the entry has texts, formula, cost and paper, and of its
// mixer everything else, such as the maps of a layer. The stack is
// nil for a mechanism alone.
func Find(id string) (entry *attention.Entry, stack *encoder.StackEntry, ok bool) {
	if g := FindGuest(id); g != nil {
		return g.Entry(), g.Stack(), true
	}
	of, mechanism, err := encoder.Parse(id)
	if err != nil {
		return nil, nil, false
	}
	mixer, _ := attention.Find(mechanism) // Parse has found it
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
