//go:build !race

package tensor

const poolsForget = false
