//go:build amd64 && !purego && !f64

package tensor

import (
	"sync"
	"unsafe"
)

// tile is the argument of a micro-kernel, which computes count tiles of C one
// below the other. Strides and steps are in bytes; the assembly knows the
// offsets of the fields.
type tile struct {
	a, b, c          unsafe.Pointer
	aStride          uintptr // between rows of A, or between columns (layout)
	bStride, cStride uintptr // between rows
	aStep, cStep     uintptr // from tile to tile
	k, count         uintptr // both ≥ 1
	bits             uint32  // columns of C and B to touch, one bit each; AVX2: all or masks
	_                uint32
	alpha            float32
	add              uint32 // 1: C += , 0: C =
	lanes            [16]int32
}

// tileKernels finds a micro-kernel: [A by rows, by columns][one, two vectors
// of columns][rows less one].
type tileKernels [2][2][]func(*tile)

const (
	byRow = 0 // A is row-major
	byCol = 1 // A is transposed, or packed that way
)

// Blocks of the product. A panel of B, blockK × two vectors, stays in the
// first-level cache; a block of A and one of B share the second level.
const (
	blockM = 384
	blockN = 512
	blockK = 256
)

// blocking is the part of a product that the loops around the micro-kernel
// are working on, with the memory for packed blocks.
type blocking struct {
	tile
	isa     isa
	kernels *tileKernels
	lanes   int // of a vector
	tileM   int // most rows of a tile
	packedA []Elem
	packedB []Elem
}

var blockings = sync.Pool{New: func() any { return new(blocking) }}

func (s isa) gemm(c, a, b View, alpha Elem, u Update) {
	if s == noISA || a.Cols == 0 || c.Rows == 0 || c.Cols == 0 {
		gemmPortable(c, a, b, alpha, u)
		return
	}
	w := blockings.Get().(*blocking)
	w.use(s)
	w.alpha, w.add = alpha, uint32(u)
	w.cStride = uintptr(c.Stride * elemSize)
	w.product(c, a, b)
	w.a, w.b, w.c = nil, nil, nil
	blockings.Put(w)
}

func (w *blocking) use(s isa) {
	if s == isaAVX512 {
		w.isa, w.kernels, w.lanes, w.tileM = s, &zTiles, 16, len(zTiles[0][0])
	} else {
		w.isa, w.kernels, w.lanes, w.tileM = s, &yTiles, 8, len(yTiles[0][0])
	}
}

// product splits k and n into blocks; those of k after the first accumulate.
func (w *blocking) product(c, a, b View) {
	step := evenly(a.Cols, blockK)
	for k := 0; k < a.Cols; k += step {
		ak := a.columns(k, min(step, a.Cols-k))
		for n := 0; n < c.Cols; n += blockN {
			width := min(blockN, c.Cols-n)
			w.columnBlock(c.columns(n, width), ak, b.rows(k, ak.Cols).columns(n, width))
		}
		w.add = uint32(Accumulate)
	}
}

// evenly is the length of the parts when n is cut into the fewest parts of at
// most limit; all but the last are multiples of 8.
func evenly(n, limit int) int {
	parts := (n + limit - 1) / limit
	return min(n, ((n+parts-1)/parts+7)&^7)
}

// columnBlock computes a column of blocks of C. It packs B once.
func (w *blocking) columnBlock(c, a, b View) {
	width := 2 * w.lanes
	direct := w.readsDirectly(b, c.Rows)
	if !direct {
		w.packB(b, width)
	}
	for m := 0; m < c.Rows; m += blockM {
		rows := min(blockM, c.Rows-m)
		am, cm := a.rows(m, rows), c.rows(m, rows)
		placed := w.placeA(am, c.Cols)
		for n := 0; n < c.Cols; n += width {
			w.placeB(b, n, width, direct)
			w.panel(cm.columns(n, min(width, c.Cols-n)), placed)
		}
	}
}

// readsDirectly says whether the kernel may read B where it stands, and
// whether that is quicker than to pack it for this many rows of C.
func (w *blocking) readsDirectly(b View, rows int) bool {
	switch {
	case b.Transposed:
		return false
	case w.isa != isaAVX512 && b.Cols%w.lanes != 0:
		return false
	}
	return rows <= 48 || b.Stride <= 64
}

// packB packs B as panels of the given width, one behind the other.
func (w *blocking) packB(b View, width int) {
	panels := (b.Cols + width - 1) / width
	w.packedB = grow(w.packedB, panels*b.Rows*width+packSlack)
	for p := range panels {
		n := p * width
		w.isa.pack(w.packedB[n*b.Rows:], width, b.columns(n, min(width, b.Cols-n)))
	}
}

func grow(s []Elem, n int) []Elem {
	if cap(s) < n {
		return make([]Elem, n)
	}
	return s[:cap(s)]
}

// placeB points the kernel to the panel of B that begins with column n.
func (w *blocking) placeB(b View, n, width int, direct bool) {
	w.k = uintptr(b.Rows)
	if direct {
		w.b, w.bStride = unsafe.Pointer(&b.Data[n]), uintptr(b.Stride*elemSize)
		return
	}
	w.b, w.bStride = unsafe.Pointer(&w.packedB[n*b.Rows]), uintptr(width*elemSize)
}

// rowSplit cuts rows into tiles: tall ones of height+1 rows, then short ones
// of height rows.
type rowSplit struct{ height, tall, short int }

func (w *blocking) split(rows int) rowSplit {
	tiles := (rows + w.tileM - 1) / w.tileM
	return rowSplit{rows / tiles, rows % tiles, tiles - rows%tiles}
}

// packsA says whether a transposed A is worth packing: when several panels
// read it, and its rows are so far apart that they share cache lines' places.
func packsA(a View, columns int) bool {
	return a.Transposed && columns > 64 && a.Stride >= 64
}

// rowsOfA is where the micro-kernels find a block of A.
type rowsOfA struct {
	View
	split  rowSplit
	packed bool
}

// placeA finds the rows of A, which it packs tile by tile if that pays.
func (w *blocking) placeA(a View, columns int) rowsOfA {
	r := rowsOfA{a, w.split(a.Rows), packsA(a, columns)}
	if !r.packed {
		return r
	}
	w.packedA = grow(w.packedA, a.Rows*a.Cols+packSlack)
	row := 0
	for t := range r.split.tall + r.split.short {
		height := r.split.height
		if t < r.split.tall {
			height++
		}
		w.isa.pack(w.packedA[row*a.Cols:], height, a.rows(row, height).T())
		row += height
	}
	return r
}

// panel computes the tiles of one panel of C, which has at most two vectors
// of columns.
func (w *blocking) panel(c View, a rowsOfA) {
	vectors := 0
	if c.Cols > w.lanes {
		vectors = 1
	}
	w.maskColumns(c.Cols, (vectors+1)*w.lanes)
	s := a.split
	if s.tall > 0 {
		w.tiles(c, a, vectors, tileRun{0, s.height + 1, s.tall})
	}
	w.tiles(c, a, vectors, tileRun{s.tall * (s.height + 1), s.height, s.short})
}

func (w *blocking) maskColumns(width, full int) {
	w.bits = ^uint32(0)
	if width == full {
		return
	}
	w.bits >>= 32 - uint(width)
	copy(w.tile.lanes[:], laneMasks[32-width:])
}

// tileRun is a run of count tiles of equal height, the first of which begins
// with the given row.
type tileRun struct{ row, height, count int }

// tiles runs the micro-kernel over a run of tiles.
func (w *blocking) tiles(c View, a rowsOfA, vectors int, t tileRun) {
	w.c = unsafe.Pointer(&c.Data[t.row*c.Stride])
	w.cStep = uintptr(t.height * c.Stride * elemSize)
	w.count = uintptr(t.count)
	layout := byCol
	switch {
	case a.packed:
		w.a = unsafe.Pointer(&w.packedA[t.row*a.Cols])
		w.aStride = uintptr(t.height * elemSize)
		w.aStep = w.aStride * w.k
	case a.Transposed:
		w.a = unsafe.Pointer(&a.Data[t.row])
		w.aStride = uintptr(a.Stride * elemSize)
		w.aStep = uintptr(t.height * elemSize)
	default:
		layout = byRow
		w.a = unsafe.Pointer(&a.Data[t.row*a.Stride])
		w.aStride = uintptr(a.Stride * elemSize)
		w.aStep = w.aStride * uintptr(t.height)
	}
	w.kernels[layout][vectors][t.height-1](&w.tile)
}
