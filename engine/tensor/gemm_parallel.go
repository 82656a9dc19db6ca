package tensor

// Below this many FLOPs a product is not worth a second goroutine.
const parallelFLOPs = 16e6

// A product is cut along rows or columns into parts of a multiple of
// parallelUnit, some parts per worker, since one may be interrupted.
const (
	parallelUnit  = 96
	partsByWorker = 4
)

// Gemm is the function of the same name, done by several goroutines if the
// product is large.
func (w Workers) Gemm(c, a, b View, alpha Elem, u Update) {
	mustMultiply("Gemm", c, a, b)
	flops := 2 * float64(c.Rows) * float64(c.Cols) * float64(a.Cols)
	extent, columns := c.Rows, b.Transposed || c.Cols > c.Rows
	if columns {
		extent = c.Cols
	}
	workers := w.useful(extent / parallelUnit)
	if workers < 2 || flops < parallelFLOPs {
		machine.gemm(c, a, b, alpha, u)
		return
	}
	units := (extent + parallelUnit - 1) / parallelUnit
	step := parallelUnit * max(1, units/(partsByWorker*workers))
	w.Each((extent+step-1)/step, func(i int) {
		first, n := i*step, min(step, extent-i*step)
		if columns {
			machine.gemm(c.block(0, first, c.Rows, n), a, b.block(0, first, b.Rows, n), alpha, u)
		} else {
			machine.gemm(c.block(first, 0, n, c.Cols), a.block(first, 0, n, a.Cols), b, alpha, u)
		}
	})
}

// block is the view of rows i… and columns j….
func (v View) block(i, j, rows, cols int) View {
	if v.Transposed {
		v.Data = v.Data[min(j*v.Stride+i, len(v.Data)):]
	} else {
		v.Data = v.Data[min(i*v.Stride+j, len(v.Data)):]
	}
	v.Rows, v.Cols = rows, cols
	return v
}
