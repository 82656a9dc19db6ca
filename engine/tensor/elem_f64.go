//go:build f64

package tensor

// Elem is the number type of the whole engine, float64 in this build (tag
// f64), which exists for tight numeric gradient checks.
type Elem = float64
