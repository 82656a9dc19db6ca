//go:build !linux

package tensor

// Huge returns a new large array. On this system it has pages of the usual size.
func Huge[E any](x []E) []E { return x }
