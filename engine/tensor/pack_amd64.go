//go:build amd64 && !purego && !f64

package tensor

import "unsafe"

// laneMasks contains, from index 32-n on, masks for n lanes that are used, followed by lanes that
// are not.
var laneMasks = func() (m [64]int32) {
	for i := range 32 {
		m[i] = -1
	}
	return m
}()

// firstLanes returns a pointer to the masks for the first n ≤ 32 of 32 lanes.
func firstLanes(n int) *int32 { return &laneMasks[32-n] }

// The kernels below copy rows of tiles from src to dst. They read tiles of at most 8, 16 or 32
// columns from each row. The tiles are width bytes apart, and the masks at lanes choose their
// columns. In dst, tiles are tile bytes apart and their rows stride bytes apart. There must be at
// least one row and one tile. All lanes of a tile's row are written, so the last row needs that
// much room.

//go:noescape
func zPack16(dst, src *Elem, stride, tile, srcStride, width, rows, tiles uintptr, lanes *int32)

//go:noescape
func zPack32(dst, src *Elem, stride, tile, srcStride, width, rows, tiles uintptr, lanes *int32)

//go:noescape
func yPack8(dst, src *Elem, stride, tile, srcStride, width, rows, tiles uintptr, lanes *int32)

//go:noescape
func yPack16(dst, src *Elem, stride, tile, srcStride, width, rows, tiles uintptr, lanes *int32)

// zTranspose and yTranspose write 16 or 8 rows with 4n columns at src as 4n rows with 16 or 8
// columns at dst. Strides are in bytes, and n ≥ 1.

//go:noescape
func zTranspose(dst, src *Elem, dstStride, srcStride, n uintptr)

//go:noescape
func yTranspose(dst, src *Elem, dstStride, srcStride, n uintptr)

// packSlack is the number of elements that the kernels can write after a packed tile.
const packSlack = 32

const elemSize = int(unsafe.Sizeof(Elem(0)))

// packing is the layout of packed tiles: their width, the distance between their rows, which is at
// least the width, and the distance between tiles.
type packing struct{ width, stride, tile int }

// pack copies v, whose number of columns is a multiple of the width, to tiles in dst. It can write
// anything between the rows of a tile, and up to packSlack elements after the last one.
func (s isa) pack(dst []Elem, p packing, v Matrix) {
	if v.Transposed {
		for j := 0; j < v.Cols; j += p.width {
			s.packTransposed(dst[j/p.width*p.tile:], p.stride, v.block(0, j, v.Rows, p.width))
		}
		return
	}
	tiles := v.Cols / p.width
	_ = dst[(tiles-1)*p.tile+(v.Rows-1)*p.stride+packSlack-1]
	to, from, lanes := &dst[0], &v.Data[0], firstLanes(p.width)
	stride, tile, width := uintptr(p.stride*elemSize), uintptr(p.tile*elemSize), uintptr(p.width*elemSize)
	srcStride, rows, n := uintptr(v.Stride*elemSize), uintptr(v.Rows), uintptr(tiles)
	switch {
	case s == isaAVX512 && p.width > 16:
		zPack32(to, from, stride, tile, srcStride, width, rows, n, lanes)
	case s == isaAVX512:
		zPack16(to, from, stride, tile, srcStride, width, rows, n, lanes)
	case p.width > 8:
		yPack16(to, from, stride, tile, srcStride, width, rows, n, lanes)
	default:
		yPack8(to, from, stride, tile, srcStride, width, rows, n, lanes)
	}
}

// packTransposed packs a view with contiguous columns. Kernels pack whole blocks of columns, and
// the remaining columns are packed one by one.
func (s isa) packTransposed(dst []Elem, stride int, v Matrix) {
	j := 0
	if v.Rows >= 4 {
		for ; s == isaAVX512 && j+16 <= v.Cols; j += 16 {
			transpose(zTranspose, dst[j:], stride, v.block(0, j, v.Rows, 16))
		}
		for ; j+8 <= v.Cols; j += 8 {
			transpose(yTranspose, dst[j:], stride, v.block(0, j, v.Rows, 8))
		}
	}
	for ; j < v.Cols; j++ {
		for i, x := range v.Data[j*v.Stride:][:v.Rows] {
			dst[i*stride+j] = x
		}
	}
}

// transpose packs a view with the width of the kernel. It can pack the last four rows twice.
func transpose(kernel func(dst, src *Elem, to, from, n uintptr), dst []Elem, stride int, v Matrix) {
	to, from := uintptr(stride*elemSize), uintptr(v.Stride*elemSize)
	_ = dst[(v.Rows-1)*stride+v.Cols-1]
	kernel(&dst[0], &v.Data[0], to, from, uintptr(v.Rows/4))
	if v.Rows%4 > 0 {
		kernel(&dst[(v.Rows-4)*stride], &v.Data[v.Rows-4], to, from, 1)
	}
}
