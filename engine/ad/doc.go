// Package ad provides reverse-mode automatic differentiation. A Tape records the operations on
// Vars, and Backward goes through the record from the end.
//
// Glossary: a Var is an array on a tape. Its adjoint is the derivative of the final scalar with
// respect to it. The pullback of an operation turns the adjoint of its result into contributions to
// the adjoints of its arguments. Operations are large, such as a whole Linear or a whole softmax.
// Each is therefore a few passes over memory, and its pullback is written right below it.
//
// Memory comes from the tape's arenas and is reused after Reset, so a training step leaves almost
// no garbage. Values that must outlive Reset have to be cloned. A tape belongs to one goroutine.
// Parameters are only read, so any number of tapes can share them.
//
// Shapes: operations work on the last one or two axes and keep leading axes (the batch), so [N,d]
// in a comment also means [B,N,d].
package ad
