// Package ad is reverse-mode automatic differentiation: a Tape records what
// operations did to Vars, and Backward walks the record from the end.
//
// Glossary: a Var is an array together with its place on a tape; its adjoint
// is the derivative of the final scalar with respect to it; an operation's
// pullback turns the adjoint of its result into contributions to the adjoints
// of its arguments. Operations are coarse — a whole Linear, a whole softmax —
// so that each is a few passes over memory and its pullback stands right below
// it.
//
// Memory comes from the tape's arenas and is handed out again after Reset:
// a training step leaves next to no garbage. Whatever must outlive Reset has to
// be cloned. A tape belongs to one goroutine; parameters are only read, so any
// number of tapes may share them.
//
// Shapes: operations work on the last one or two axes and carry leading axes
// (the batch) through, so [N,d] in a comment also stands for [B,N,d].
package ad
