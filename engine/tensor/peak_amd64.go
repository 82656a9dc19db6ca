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
