//go:build race

package tensor

// poolsForget is true under the race detector, with which sync.Pool drops items on purpose.
const poolsForget = true
