//go:build amd64 && !purego && !f64

package tensor

import "unsafe"

// tileRun is a run of tiles of equal height: where their rows of A are.
type tileRun struct {
	row, height, count int
	layout             int
	a                  unsafe.Pointer
	stride, step       uintptr
}

// placeA cuts the block of rows m… into two runs of tiles whose heights differ
// by one, and finds or packs their rows of A.
func (p *product) placeA(m, k, rows int) {
	tiles := (rows + p.tileM - 1) / p.tileM
	height, tall := rows/tiles, rows%tiles
	p.runs[0] = tileRun{height: height + 1, count: tall}
	p.runs[1] = tileRun{height: height, count: tiles - tall, row: tall * (height + 1)}
	packed := p.packsA()
	if packed {
		p.packedA = grow(p.packedA, rows*int(p.k)+tiles*packSlack)
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

// placeRun points to rows of A where they stand.
func (p *product) placeRun(r *tileRun, m, k int) {
	r.a = p.a.pointer(m+r.row, k)
	r.stride = uintptr(p.a.Stride * elemSize)
	if p.a.Transposed {
		r.layout, r.step = byCol, uintptr(r.height*elemSize)
	} else {
		r.layout, r.step = byRow, uintptr(r.height)*r.stride
	}
}

// packsA says whether a transposed A is worth packing: when several panels
// read it, and its rows are so far apart that they compete for few places in
// the cache.
func (p *product) packsA() bool {
	return p.a.Transposed && p.c.Cols > 4*p.lanes && p.a.Stride > 128
}

// packRun packs the rows of a run from a transposed A, tile by tile, behind
// what is used of the memory, and returns how much that takes.
func (p *product) packRun(r *tileRun, used, m, k int) int {
	size := int(p.k)*r.height + packSlack
	to := p.packedA[used : used+size*r.count]
	r.a, r.layout = unsafe.Pointer(&to[0]), byCol
	r.stride, r.step = uintptr(r.height*elemSize), uintptr(size*elemSize)
	from := p.a.T().block(k, m+r.row, int(p.k), r.height*r.count)
	p.isa.pack(to, packing{r.height, r.height, size}, from)
	return len(to)
}

// readsB says whether the kernel may read B where it stands, and whether that
// is quicker than to pack it for this many rows of C.
func (p *product) readsB() bool {
	switch {
	case p.b.Transposed:
		return false
	case p.isa != isaAVX512 && p.b.Cols%p.lanes != 0:
		return false
	}
	return p.c.Rows <= 128 || (p.c.Rows <= 1024 && p.b.Stride <= 512)
}

// packB packs columns n… of B as panels of two vectors, one behind the other.
func (p *product) packB(k, n, cols int) {
	width, depth := 2*p.lanes, int(p.k)
	p.packedB = grow(p.packedB, (cols+width-1)*depth+packSlack)
	whole := cols / width * width
	shape := packing{width, width, width * depth}
	if whole > 0 {
		p.isa.pack(p.packedB, shape, p.b.block(k, n, depth, whole))
	}
	if whole < cols {
		shape.width = cols - whole
		p.isa.pack(p.packedB[whole*depth:], shape, p.b.block(k, n+whole, depth, cols-whole))
	}
}

func grow(s []Elem, n int) []Elem {
	if cap(s) < n {
		return make([]Elem, n)
	}
	return s[:cap(s)]
}

// block is the view of rows i… and columns j….
func (v View) block(i, j, rows, cols int) View {
	if v.Transposed {
		v.Data = v.Data[j*v.Stride+i:]
	} else {
		v.Data = v.Data[i*v.Stride+j:]
	}
	v.Rows, v.Cols = rows, cols
	return v
}
