//go:build f64

package encoder_test

const (
	directionStep      = 1e-5
	directionTolerance = 1e-6
	directionFloor     = 1e-3
)
