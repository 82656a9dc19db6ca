//go:build amd64 && !purego && !f64

package tensor

import "unsafe"

// laneMasks holds, from index 32-n on, n lanes to take and then lanes to leave.
var laneMasks = func() (m [64]int32) {
	for i := range 32 {
		m[i] = -1
	}
	return m
}()

// firstLanes points to the masks that take the first n ≤ 32 lanes of 32.
func firstLanes(n int) *int32 { return &laneMasks[32-n] }

// The kernels below copy rows (at least one) of at most 8, 16 or 32 columns,
// chosen by the masks at lanes, from src to dst. Strides are in bytes. A row
// is written with all lanes: the last one needs that much room.

//go:noescape
func zPackRows16(dst, src *Elem, dstStride, srcStride, rows uintptr, lanes *int32)

//go:noescape
func zPackRows32(dst, src *Elem, dstStride, srcStride, rows uintptr, lanes *int32)

//go:noescape
func yPackRows8(dst, src *Elem, dstStride, srcStride, rows uintptr, lanes *int32)

//go:noescape
func yPackRows16(dst, src *Elem, dstStride, srcStride, rows uintptr, lanes *int32)

// yTranspose8 writes 8 rows of 8n columns at src as 8n rows of 8 at dst.
// Strides are in bytes, n ≥ 1.
//
//go:noescape
func yTranspose8(dst, src *Elem, dstStride, srcStride, n uintptr)

// packSlack is how many elements the kernels may write behind a packed block.
const packSlack = 32

// pack copies v, of width ≤ the kernel's, to rows of the given stride in dst.
// Behind the last column it may leave anything up to the stride; it writes up
// to packSlack elements behind the last row.
func (s isa) pack(dst []Elem, stride int, v View) {
	if v.Rows == 0 || v.Cols == 0 {
		return
	}
	if v.Transposed {
		packTransposed(dst, stride, v)
		return
	}
	_ = dst[(v.Rows-1)*stride+packSlack-1]
	to, from := uintptr(stride*elemSize), uintptr(v.Stride*elemSize)
	rows, lanes := uintptr(v.Rows), firstLanes(v.Cols)
	switch {
	case s == isaAVX512 && v.Cols > 16:
		zPackRows32(&dst[0], &v.Data[0], to, from, rows, lanes)
	case s == isaAVX512:
		zPackRows16(&dst[0], &v.Data[0], to, from, rows, lanes)
	case v.Cols > 8:
		yPackRows16(&dst[0], &v.Data[0], to, from, rows, lanes)
	default:
		yPackRows8(&dst[0], &v.Data[0], to, from, rows, lanes)
	}
}

const elemSize = int(unsafe.Sizeof(Elem(0)))

// packTransposed packs a view whose columns are contiguous: blocks of 8×8 by
// the kernel, what is left over one by one.
func packTransposed(dst []Elem, stride int, v View) {
	cols, rows := v.Cols&^7, v.Rows&^7
	if rows == 0 {
		cols = 0
	}
	for j := 0; j < cols; j += 8 {
		yTranspose8(&dst[j], &v.Data[j*v.Stride],
			uintptr(stride*elemSize), uintptr(v.Stride*elemSize), uintptr(rows/8))
	}
	for j := range v.Cols {
		first := 0
		if j < cols {
			first = rows
		}
		for i := first; i < v.Rows; i++ {
			dst[i*stride+j] = v.Data[j*v.Stride+i]
		}
	}
}
