//go:build amd64 && !purego && !f64

package tensor

// peakFLOPs is the number of floating-point operations of one turn of a peak
// loop per vector lane: 12 multiply-adds.
const peakFLOPs = 24

// zPeak and yPeak do n ≥ 1 turns of multiply-adds on registers only. The
// benchmarks compare the kernels with them.

//go:noescape
func zPeak(n uintptr)

//go:noescape
func yPeak(n uintptr)

// PeakFMA keeps the multiply-add units busy for n ≥ 1 turns, with the widest
// vectors that the kernels use and nothing but registers, and returns how many
// floating-point operations that took; 0 where there are no vector kernels.
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
