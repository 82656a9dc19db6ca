//go:build !amd64 || purego || f64

package tensor

// PeakFMA does nothing on machines without vector kernels.
func PeakFMA(int) (flops float64) { return 0 }
