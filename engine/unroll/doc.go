// Package unroll takes mechanisms apart that compute in rounds or steps: the hashing of Reformer, the pondering of the
// universal transformer, and reversible layers, which compute their inputs back.
package unroll

import "attnatlas/engine"

// Unroller takes apart what an engine computes.
type Unroller struct{ engine *engine.Engine }

// New returns the Unroller of an engine.
func New(e *engine.Engine) Unroller { return Unroller{e} }
