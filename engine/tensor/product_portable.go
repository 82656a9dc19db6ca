//go:build (!amd64 && !(js && wasm)) || purego || f64

package tensor

// product computes C = α·A·B, or adds it to C.
func product(c, a, b Matrix, alpha Elem, u Update) { gemmPortable(c, a, b, alpha, u) }
