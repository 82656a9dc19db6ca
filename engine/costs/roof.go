package costs

import (
	"context"
	"runtime"
	"time"
	"unsafe"

	"attnatlas/engine/tensor"
)

// Roof is the peak performance of one processor core of this machine.
type Roof struct {
	Operations float64 `json:"operations" doc:"Peak arithmetic operations per second, from multiply-add units without memory access. On machines without such kernels, from products of large matrices"`
	Bandwidth  float64 `json:"bandwidth" doc:"Memory bandwidth in bytes per second, read and written: a copy of an array larger than the caches"`
}

// roofRounds is the number of rounds, of which the best counts.
const roofRounds = 5

// MeasureRoof measures both values of the roof, in a few tenths of a second.
func MeasureRoof(ctx context.Context) (Roof, error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	const side = 384
	matrix := func() tensor.Matrix { return tensor.NewMatrix(Noise(side, side).Data, side, side) }
	a, b, c := matrix(), matrix(), matrix()
	const floats = 16 << 20
	from, to := make([]tensor.Elem, floats), make([]tensor.Elem, floats)
	copy(to, from) // brings both into memory
	bytes := 2 * float64(len(from)) * float64(unsafe.Sizeof(tensor.Elem(0)))
	var r Roof
	for range roofRounds {
		if err := ctx.Err(); err != nil {
			return r, err
		}
		r.Operations = max(r.Operations, perSecond(func() float64 { return tensor.PeakFMA(200_000) }))
		r.Operations = max(r.Operations, perSecond(func() float64 {
			tensor.Gemm(c, a, b, 1, tensor.Overwrite)
			return 2 * side * side * side
		}))
		r.Bandwidth = max(r.Bandwidth, perSecond(func() float64 { copy(to, from); return bytes }))
	}
	return r, nil
}

// perSecond returns the work done per second of thread time.
func perSecond(do func() float64) float64 {
	began := threadTime()
	work := do()
	return work / max(threadTime()-began, time.Nanosecond).Seconds()
}
