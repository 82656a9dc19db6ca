//go:build f64

package tensor

// Elem is the number type of the whole engine, float64 in this build (tag f64), which serves for
// precise numeric gradient checks.
type Elem = float64
