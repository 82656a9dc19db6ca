//go:build amd64 && !purego && !f64

package tensor

import "unsafe"

// tileRun is a run of tiles of equal height, with the location of their rows of A.
type tileRun struct {
	row, height, count int
	layout             int
	a                  unsafe.Pointer
	stride, step       uintptr
}

// placeA divides the block of rows from m on into two runs of tiles whose heights differ by one. It
// then finds or packs their rows of A.
func (p *product) placeA(m, k, rows int) {
	tiles := (rows + p.tileM - 1) / p.tileM
	height, tall := rows/tiles, rows%tiles
	p.runs[0] = tileRun{height: height + 1, count: tall}
	p.runs[1] = tileRun{height: height, count: tiles - tall, row: tall * (height + 1)}
	packed := p.packsA()
	if packed {
		p.packedA = grow(p.packedA, tiles*(int(p.k)*p.lanes+packSlack))
	}
	used := 0
	for i := range p.runs {
		r := &p.runs[i]
		switch {
		case r.count == 0:
		case packed:
			used += p.packRun(r, used, m, k)
		default:
			p.placeRun(r, m, k)
		}
	}
}

// placeRun sets the run to read rows of A in place.
func (p *product) placeRun(r *tileRun, m, k int) {
	r.a = p.a.pointer(m+r.row, k)
	r.stride = uintptr(p.a.Stride * elemSize)
	if p.a.Transposed {
		r.layout, r.step = byCol, uintptr(r.height*elemSize)
	} else {
		r.layout, r.step = byRow, uintptr(r.height)*r.stride
	}
}

// packsA reports whether a transposed A is worth packing. It is if several panels read it, and if
// its rows are so far apart that they compete for the same places in the cache.
func (p *product) packsA() bool {
	return p.a.Transposed && p.c.Cols > 4*p.lanes && p.a.Stride > 128
}

// packRun packs the rows of a run from a transposed A, tile by tile, after the used part of the
// memory. It returns the number of elements that it needed.
func (p *product) packRun(r *tileRun, used, m, k int) int {
	size := int(p.k)*p.lanes + packSlack
	to := p.packedA[used : used+size*r.count]
	r.a, r.layout = unsafe.Pointer(&to[0]), byCol
	r.stride, r.step = uintptr(p.lanes*elemSize), uintptr(size*elemSize)
	from := p.a.T().block(k, m+r.row, int(p.k), r.height*r.count)
	p.isa.pack(to, packing{r.height, p.lanes, size}, from)
	return len(to)
}

// readsB reports whether the kernel can read B in place, and whether that is faster than packing it
// for this number of rows of C.
func (p *product) readsB() bool {
	switch {
	case p.b.Transposed:
		return false
	case p.isa != isaAVX512 && p.b.Cols%p.lanes != 0:
		return false
	}
	return p.c.Rows <= 128 || (p.c.Rows <= 1024 && p.b.Stride <= 512)
}

// rowsOfB tells the micro-kernels where rows of B are: the address of the first row, and the
// distances in bytes between rows and, for panels, between columns.
type rowsOfB struct {
	first        unsafe.Pointer
	stride, step uintptr
	pack         bool // pack into the memory of the product when first needed
}

// placeB returns the place of a block of B, with the columns from n on of the rows from k on, or the place to
// which it must be packed. rows is the number of rows in a block of C.
func (p *product) placeB(k, n, cols, rows int) rowsOfB {
	width, depth := 2*p.lanes, int(p.k)
	packed := rowsOfB{stride: uintptr(width * elemSize), step: uintptr(depth * elemSize)}
	switch {
	case p.packedAll != nil:
		packed.first = unsafe.Pointer(&p.packedAll[k*wholePanels(p.b.Cols, width)+n*depth])
	case p.readsB():
		return rowsOfB{p.b.pointer(k, n), uintptr(p.b.Stride * elemSize), uintptr(elemSize), false}
	default:
		if rows == p.c.Rows && !p.inStrips(cols) {
			packed.step, cols = 0, 1 // one panel at a time, which stays in the cache
		}
		p.packedB = grow(p.packedB, wholePanels(cols, width)*depth+packSlack)
		packed.first, packed.pack = unsafe.Pointer(&p.packedB[0]), true
	}
	return packed
}

// packPanel packs the panel of B that begins at column n, which is column j of the block.
func (p *product) packPanel(b rowsOfB, k, n, j int) {
	width, depth := 2*p.lanes, int(p.k)
	used := min(width, p.b.Cols-n)
	at := int(b.step) / elemSize * j
	p.isa.pack(p.packedB[at:], packing{used, width, 0}, p.b.block(k, n, depth, used))
}

// wholePanels returns the number of columns after padding the last panel.
func wholePanels(cols, width int) int { return (cols + width - 1) / width * width }

// packAll packs a whole matrix, into data if it has room. The blocks of k are adjacent, each
// as panels of full width.
func (s isa) packAll(data []Elem, b Matrix) []Elem {
	if s == noISA || b.Rows == 0 || b.Cols == 0 {
		return packAllPortable(data, b)
	}
	width := 2 * s.lanes()
	padded := wholePanels(b.Cols, width)
	data = grow(data, padded*b.Rows+packSlack)
	depth := evenly(b.Rows, blockK)
	for k := 0; k < b.Rows; k += depth {
		rows := min(depth, b.Rows-k)
		for n := 0; n < b.Cols; n += width {
			used := min(width, b.Cols-n)
			s.pack(data[k*padded+n*rows:], packing{used, width, 0}, b.block(k, n, rows, used))
		}
	}
	return data
}

// packedLen returns the number of elements of a packed matrix.
func (s isa) packedLen(b Matrix) int {
	if s == noISA {
		return b.Rows * b.Cols
	}
	return wholePanels(b.Cols, 2*s.lanes())*b.Rows + packSlack
}

func (s isa) gemmPacked(c, a Matrix, b *Packed, alpha Elem, u Update) {
	if p := s.beginPacked(&c, &a, b, alpha); p != nil {
		p.add = uint32(u)
		p.compute()
		p.end()
		return
	}
	gemmPortable(c, a, b.matrix(), alpha, u)
}

func (s isa) gemmPackedRow(c, a Matrix, b *Packed, row []Elem) {
	if p := s.beginPacked(&c, &a, b, 1); p != nil {
		p.add, p.row = uint32(Accumulate), row
		p.compute()
		p.end()
		return
	}
	gemmPortable(c, a, b.matrix(), 1, Overwrite)
	addToRows(c, row)
}

// beginPacked prepares a product with a packed matrix. It returns nil if portable code must compute
// the product.
func (s isa) beginPacked(c, a *Matrix, b *Packed, alpha Elem) *product {
	like := Matrix{Rows: b.rows, Cols: b.cols, Stride: b.cols}
	p := s.begin(c, a, &like, alpha)
	if p != nil {
		p.c, p.a, p.b, p.packedAll = *c, *a, like, b.data
	}
	return p
}

func grow(s []Elem, n int) []Elem {
	if cap(s) < n {
		return Huge(make([]Elem, n))
	}
	return s[:cap(s)]
}

// block returns the view of the rows from i and the columns from j on.
func (v Matrix) block(i, j, rows, cols int) Matrix {
	if v.Transposed {
		v.Data = v.Data[min(j*v.Stride+i, len(v.Data)):]
	} else {
		v.Data = v.Data[min(i*v.Stride+j, len(v.Data)):]
	}
	v.Rows, v.Cols = rows, cols
	return v
}
