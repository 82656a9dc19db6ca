//go:build race

package tensor

// Under the race detector a sync.Pool forgets on purpose.
const poolsForget = true
