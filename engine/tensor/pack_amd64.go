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

// The kernels below copy rows of tiles from src to dst: from each row, tiles
// of at most 8, 16 or 32 columns, chosen by the masks at lanes, one behind the
// other, width bytes apart; to tiles that stand tile bytes apart with rows
// stride bytes apart. Rows and tiles are at least one. A row of a tile is
// written with all lanes: the last one needs that much room.

//go:noescape
func zPack16(dst, src *Elem, stride, tile, srcStride, width, rows, tiles uintptr, lanes *int32)

//go:noescape
func zPack32(dst, src *Elem, stride, tile, srcStride, width, rows, tiles uintptr, lanes *int32)

//go:noescape
func yPack8(dst, src *Elem, stride, tile, srcStride, width, rows, tiles uintptr, lanes *int32)

//go:noescape
func yPack16(dst, src *Elem, stride, tile, srcStride, width, rows, tiles uintptr, lanes *int32)

// yTranspose8 writes 8 rows of 8n columns at src as 8n rows of 8 at dst.
// Strides are in bytes, n ≥ 1.
//
//go:noescape
func yTranspose8(dst, src *Elem, dstStride, srcStride, n uintptr)

// packSlack is how many elements the kernels may write behind a packed tile.
const packSlack = 32

const elemSize = int(unsafe.Sizeof(Elem(0)))

// packing is a layout of packed tiles: their width, the distance of their
// rows, at least that, and the distance of the tiles.
type packing struct{ width, stride, tile int }

// pack copies v, whose columns are a multiple of the width, to tiles in dst.
// It may write anything between the rows of a tile, and up to packSlack
// elements behind the last one.
func (s isa) pack(dst []Elem, p packing, v View) {
	if v.Transposed {
		for j := 0; j < v.Cols; j += p.width {
			packTransposed(dst[j/p.width*p.tile:], p.stride, v.block(0, j, v.Rows, p.width))
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
