//go:build !f64

package tensor

// Elem is the number type of the whole engine: float32. The build tag f64
// turns it into float64, which the gradient checks use.
type Elem = float32
