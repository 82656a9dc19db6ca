//go:build !f64

package encoder_test

// In float32, the loss is accurate to about 1e-7, so a step of 3e-3 gives slopes accurate to 1e-4.
// The curvature of the loss along the step dominates the error.
const (
	directionStep      = 3e-3
	directionTolerance = 2e-2
	directionFloor     = 1e-2
)
