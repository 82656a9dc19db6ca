//go:build !f64

package tensor

// Elem is the number type of the whole engine, float32. The build tag f64 changes it to float64 for
// gradient checks.
type Elem = float32
