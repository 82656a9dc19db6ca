// Package unroll shows the intermediate results of mechanisms that compute in rounds or steps: hashing in
// Reformer, adaptive computation in the Universal Transformer, and reversible layers, which recompute their
// inputs.
package unroll

import "attnatlas/engine"

// Unroller computes the intermediate results of an engine's models.
type Unroller struct{ engine *engine.Engine }

// New returns the Unroller of an engine.
func New(e *engine.Engine) Unroller { return Unroller{e} }
