//go:build amd64 && !purego && !f64

package tensor

import (
	"sync"
	"unsafe"
)

// tile is the argument of a micro-kernel, which computes count tiles of C, one below the other.
// Strides and steps are in bytes. The assembly relies on the offsets of the fields.
type tile struct {
	a, b, c          unsafe.Pointer
	aStride          uintptr // between rows of A, or between columns, depending on the layout
	bStride, cStride uintptr // between rows
	aStep, cStep     uintptr // from tile to tile
	k, count         uintptr // both ≥ 1
	bits             uint32  // columns of C and B to access, one bit each
	_                uint32
	alpha            float32
	add              uint32    // 1: add E
	lanes            [16]int32 // the same as bits, for AVX2; unused if all columns are accessed
	next             uintptr   // address at which B is likely to be read next, as a hint; kernels advance it
	e                uintptr   // address of E, usually C; kernels advance it; product.c, row or sums keeps E alive
	eStride, eStep   uintptr   // like the fields of C; 0 if E is one row for all rows of C
	nextStep         uintptr   // by which kernels advance next after four rows of B
	bStep            uintptr   // from tile to tile; kernels advance b
}

// tileKernels holds the micro-kernels: [kind][number of vectors of columns, minus one][number of
// rows, minus one].
type tileKernels [3][2][]func(*tile)

const (
	byRow  = 0 // A is row-major
	byCol  = 1 // A is transposed, or packed that way
	powers = 2 // A is row-major; C = 2^(A·B) in whole vectors, whose sums by row and lane are added to E
)

// blockN, blockK and blockRows are the block sizes of the product. A panel of B, blockK × two
// vectors, stays in the first-level cache. A block of B, blockK × blockN, and rows of A and C with
// blockRows elements together share the second-level cache.
const (
	blockN    = 512
	blockK    = 256
	blockRows = 1 << 16
)

// product is a matrix product in progress, with memory for packed blocks.
type product struct {
	tile
	isa              isa
	kernels          *tileKernels
	lanes            int // number of lanes of a vector
	tileM            int // largest number of rows of a tile
	c, a, b          Matrix
	runs             [2]tileRun
	packedA, packedB []Elem
	packedAll        []Elem // B, if the caller has packed it
	row              []Elem // row to add to every row of C; nil: none
	sums             []Elem // sums of the rows of C = 2^(A·B), separately for each lane; nil: C = A·B
}

var products = sync.Pool{New: func() any { return new(product) }}

func (s isa) gemm(c, a, b Matrix, alpha Elem, u Update) {
	if p := s.begin(&c, &a, &b, alpha); p != nil {
		p.c, p.a, p.b, p.add = c, a, b, uint32(u)
		p.compute()
		p.end()
		return
	}
	s.small(c, a, b, alpha, u)
}

func (s isa) gemmRow(c, a, b Matrix, row []Elem) {
	if p := s.begin(&c, &a, &b, 1); p != nil {
		p.c, p.a, p.b, p.add, p.row = c, a, b, uint32(Accumulate), row
		p.compute()
		p.end()
		return
	}
	s.small(c, a, b, 1, Overwrite)
	addToRows(c, row)
}

func (s isa) gemmBatch(c, a, b Batch, alpha Elem, u Update) {
	p := s.begin(&c.First, &a.First, &b.First, alpha)
	for i := range c.Count {
		if p == nil {
			s.small(c.At(i), a.At(i), b.At(i), alpha, u)
			continue
		}
		p.c, p.a, p.b, p.add = c.At(i), a.At(i), b.At(i), uint32(u)
		p.compute()
	}
	if p != nil {
		p.end()
	}
}

// begin prepares a product with these shapes. It returns nil if small must compute the product.
func (s isa) begin(c, a, b *Matrix, alpha Elem) *product {
	if s == noISA || a.Cols == 0 || c.Rows == 0 || c.Cols == 0 || isSmall(c, a, b) {
		return nil
	}
	p := products.Get().(*product)
	p.isa, p.lanes, p.kernels = s, s.lanes(), &yTiles
	if s == isaAVX512 {
		p.kernels = &zTiles
	}
	p.tileM = len(p.kernels[0][0])
	p.alpha, p.cStride = alpha, uintptr(c.Stride*elemSize)
	return p
}

// lanes returns the number of elements of a vector.
func (s isa) lanes() int { return 4 << s }

// end drops the references to the caller's memory and returns the product to the pool.
func (p *product) end() {
	p.tile.a, p.tile.b, p.tile.c = nil, nil, nil
	p.c.Data, p.a.Data, p.b.Data = nil, nil, nil
	p.runs[0].a, p.runs[1].a, p.packedAll, p.row, p.sums = nil, nil, nil, nil, nil
	products.Put(p)
}

// isSmall reports whether packing B would cost more than it saves.
func isSmall(c, a, b *Matrix) bool { return c.Rows <= 2 && b.Transposed && !a.Transposed }

// small computes products for which the micro-kernels are not suited.
func (s isa) small(c, a, b Matrix, alpha Elem, u Update) {
	if s == noISA || a.Cols == 0 || !isSmall(&c, &a, &b) {
		gemmPortable(c, a, b, alpha, u)
		return
	}
	for i := range c.Rows {
		row, out := a.Data[i*a.Stride:][:a.Cols], c.Data[i*c.Stride:][:c.Cols]
		for j := range out {
			sum := alpha * s.dot(row, b.Data[j*b.Stride:][:b.Rows])
			if u == Accumulate {
				sum += out[j]
			}
			out[j] = sum
		}
	}
}

// compute splits k and n into blocks. All blocks of k after the first accumulate. If C is large, each block of n
// is completed while it is in the cache.
func (p *product) compute() {
	depth, span, add, row := evenly(p.a.Cols, blockK), p.c.Cols, p.add, p.row
	if p.c.Rows*p.c.Cols >= stripC {
		span = blockN
	}
	for first := 0; first < p.c.Cols; first += span {
		p.add, p.row = add, row
		for k := 0; k < p.a.Cols; k += depth {
			p.k = uintptr(min(depth, p.a.Cols-k))
			for n := first; n < min(first+span, p.c.Cols); n += blockN {
				p.columns(k, n, min(blockN, p.c.Cols-n))
			}
			p.add, p.row = uint32(Accumulate), nil
		}
	}
}

// evenly returns the length of the parts if n is divided into as few parts of at most limit as
// possible. All parts but the last are multiples of 8.
func evenly(n, limit int) int {
	if n <= limit {
		return n
	}
	parts := (n + limit - 1) / limit
	return ((n+parts-1)/parts + 7) &^ 7
}

// columns computes the contribution of the rows of B from k on to cols columns of C.
func (p *product) columns(k, n, cols int) {
	width := 2 * p.lanes
	rows := evenly(p.c.Rows, max(2*p.tileM, blockRows/(int(p.k)+cols)))
	b := p.placeB(k, n, cols, rows)
	for m := 0; m < p.c.Rows; m += rows {
		p.placeA(m, k, min(rows, p.c.Rows-m))
		if p.inStrips(cols) {
			p.strips(b, m, k, n, cols)
			continue
		}
		for j := 0; j < cols; j += width {
			if b.pack && m == 0 {
				p.packPanel(b, k, n+j, j)
			}
			p.tile.b, p.bStride = unsafe.Add(b.first, b.step*uintptr(j)), b.stride
			p.next, p.nextStep = uintptr(p.tile.b)+b.step*uintptr(width), p.pace()
			p.panel(m, n+j, min(width, cols-j))
		}
	}
}

// Products with k ≤ stripDepth are computed in strips. So are products with at least stripRows rows and at
// least stripC elements of C.
const (
	stripDepth = 128
	stripRows  = 256
	stripC     = 1 << 22
)

// inStrips reports whether adjacent tiles are computed one after another, so that C is written row by row. The
// processor predicts such writes. Products with a large C, or with few operations per element of C, wait for
// C more than for B.
func (p *product) inStrips(cols int) bool {
	if p.sums != nil || cols < 8*p.lanes || p.c.Rows <= 2*p.tileM {
		return false
	}
	return int(p.k) <= stripDepth || p.c.Rows >= stripRows && p.c.Rows*p.c.Cols >= stripC
}

// strips computes a block of C in strips: cols columns from n on of the rows from m on.
func (p *product) strips(b rowsOfB, m, k, n, cols int) {
	width := 2 * p.lanes
	if b.pack && m == 0 {
		for j := 0; j < cols; j += width {
			p.packPanel(b, k, n+j, j)
		}
	}
	whole := cols / width
	if p.k == 1 {
		whole = (cols - 1) / width // kernels leave b behind the last tile, which is outside a B of one row
	}
	p.bStride, p.nextStep = b.stride, 0
	p.maskColumns(width, width)
	for i := range p.runs {
		r := &p.runs[i]
		for t := range r.count {
			p.tile.a, p.aStride, p.aStep = unsafe.Add(r.a, r.step*uintptr(t)), r.stride, 0
			p.tile.b, p.bStep = b.first, b.step*uintptr(width)
			p.tile.c, p.cStep = p.c.pointer(m+r.row+t*r.height, n), uintptr(width*elemSize)
			p.next = uintptr(p.tile.b)
			p.e, p.eStride, p.eStep = uintptr(p.tile.c), p.cStride, p.cStep
			if p.row != nil {
				p.e, p.eStride = uintptr(unsafe.Pointer(&p.row[n])), 0
			}
			p.count = uintptr(whole)
			p.kernels[r.layout][1][r.height-1](&p.tile)
		}
	}
	p.bStep = 0
	if j := whole * width; j < cols {
		p.tile.b = unsafe.Add(b.first, b.step*uintptr(j))
		p.next = uintptr(p.tile.b)
		p.panel(m, n+j, cols-j)
	}
}

// pace returns the distance between two prefetches, chosen so that all tiles of a panel together prefetch the next
// panel. If only the first tile prefetched, it would wait for the memory, and the memory would be idle during the other
// tiles.
func (p *product) pace() uintptr {
	tiles := uintptr(max(p.runs[0].count+p.runs[1].count, 1))
	if p.bStride == uintptr(2*p.lanes*elemSize) {
		return max(4*p.bStride/tiles, 1) // within a panel, rows are adjacent
	}
	return max(4/tiles, 1) * p.bStride
}

// pointer returns the address of an element.
func (v *Matrix) pointer(i, j int) unsafe.Pointer {
	if v.Transposed {
		i, j = j, i
	}
	return unsafe.Pointer(&v.Data[i*v.Stride+j])
}

// panel computes the tiles of one panel of C, which has at most two vectors of columns.
func (p *product) panel(m, n, width int) {
	vectors := 0
	if width > p.lanes {
		vectors = 1
	}
	p.maskColumns(width, (vectors+1)*p.lanes)
	for i := range p.runs {
		r := &p.runs[i]
		if r.count == 0 {
			continue
		}
		p.tile.a, p.aStride, p.aStep = r.a, r.stride, r.step
		p.tile.c, p.cStep = p.c.pointer(m+r.row, n), uintptr(r.height)*p.cStride
		p.e, p.eStride, p.eStep = uintptr(p.tile.c), p.cStride, p.cStep
		if p.row != nil {
			p.e, p.eStride, p.eStep = uintptr(unsafe.Pointer(&p.row[n])), 0, 0
		}
		kind := r.layout
		if p.sums != nil {
			kind, p.eStride = powers, uintptr(p.lanes*elemSize)
			p.e, p.eStep = uintptr(unsafe.Pointer(&p.sums[(m+r.row)*p.lanes])), uintptr(r.height)*p.eStride
		}
		p.count = uintptr(r.count)
		p.kernels[kind][vectors][r.height-1](&p.tile)
	}
}

func (p *product) maskColumns(width, full int) {
	p.bits = ^uint32(0)
	if width < full || p.sums != nil {
		p.bits >>= 32 - uint(width)
		copy(p.tile.lanes[:], laneMasks[32-width:])
	}
}
