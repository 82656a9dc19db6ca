//go:build !f64

package encoder_test

// In float32 the loss is good to about 1e-7, so a step of 3e-3 gives slopes
// good to 1e-4; the curvature of the loss along the step dominates.
const (
	directionStep      = 3e-3
	directionTolerance = 2e-2
	directionFloor     = 1e-2
)
