//go:build (!amd64 && !(js && wasm)) || purego || f64

package tensor

// product is C = α·A·B, or adds that.
func product(c, a, b Matrix, alpha Elem, u Update) { gemmPortable(c, a, b, alpha, u) }
