//go:build amd64 && !purego && !f64

package tensor

// peakFLOPs is the number of floating-point operations per vector lane in one iteration of a peak
// loop: 12 multiply-adds.
const peakFLOPs = 24

// zPeak and yPeak run n ≥ 1 iterations of multiply-adds that use only registers. Benchmarks compare
// the kernels with them.

//go:noescape
func zPeak(n uintptr)

//go:noescape
func yPeak(n uintptr)

// PeakFMA keeps the multiply-add units busy for n ≥ 1 iterations, with the widest vectors that the
// kernels use and with registers only. It returns the number of floating-point operations, or 0 if
// there are no vector kernels.
func PeakFMA(n int) (flops float64) {
	switch machine {
	case isaAVX512:
		zPeak(uintptr(n))
		return peakFLOPs * 16 * float64(n)
	case isaAVX2:
		yPeak(uintptr(n))
		return peakFLOPs * 8 * float64(n)
	}
	return 0
}
