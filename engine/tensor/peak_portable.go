//go:build !amd64 || purego || f64

package tensor

// PeakFMA is for machines with vector kernels: here it does nothing.
func PeakFMA(int) (flops float64) { return 0 }
