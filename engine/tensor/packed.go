package tensor

import (
	"fmt"
	"slices"
)

// Packed is a copy of a matrix in the order in which products read their right factor. It saves the
// time for packing a matrix that is used often, such as a weight. The saving is greater if the left
// factor has few rows. Packed does not follow changes of the original. Many goroutines can use it
// at the same time.
type Packed struct {
	rows, cols int
	data       []Elem
	transposed bool // whether the original was transposed; the portable kernels need it
}

// Pack returns a packed copy of a matrix, which can be transposed.
func Pack(b Matrix) *Packed {
	p := new(Packed)
	p.Set(b)
	return p
}

// PackAll packs matrices one after another into one array, which the system can place in huge pages.
func PackAll(all []Matrix) []*Packed {
	total := 0
	for _, b := range all {
		total += machine.packedLen(b)
	}
	data, packed := Huge(make([]Elem, total)), make([]*Packed, len(all))
	for i, b := range all {
		n := machine.packedLen(b)
		packed[i] = &Packed{data: data[:0:n]}
		packed[i].Set(b)
		data = data[n:]
	}
	return packed
}

// Set copies another matrix into p, and reuses its memory if it is large enough.
func (p *Packed) Set(b Matrix) {
	b.mustFit("Pack")
	p.set(machine, b)
}

func (p *Packed) set(s isa, b Matrix) {
	p.rows, p.cols, p.data, p.transposed = b.Rows, b.Cols, s.packAll(p.data, b), b.Transposed
}

// GemmPacked is Gemm with a packed right factor.
func GemmPacked(c, a Matrix, b *Packed, alpha Elem, u Update) {
	b.mustMultiply("GemmPacked", c, a)
	machine.gemmPacked(c, a, b, alpha, u)
}

// GemmPackedRow is GemmRow with a packed right factor.
func GemmPackedRow(c, a Matrix, b *Packed, row []Elem) {
	b.mustMultiply("GemmPackedRow", c, a)
	mustBeRow("GemmPackedRow", c.Cols, row)
	machine.gemmPackedRow(c, a, b, row)
}

// mustMultiply panics unless C has the shape of A·p.
func (p *Packed) mustMultiply(op string, c, a Matrix) {
	if a.Cols != p.rows || c.Rows != a.Rows || c.Cols != p.cols || c.Transposed {
		panic(ShapeError{op, "C[m,n] = A[m,k]·B[k,n]",
			fmt.Sprintf("%v = %v·[%d,%d]", c, a, p.rows, p.cols)})
	}
	c.mustFit(op)
	a.mustFit(op)
}

// packAllPortable copies a matrix in the order of its memory, without gaps, to data if it has room.
func packAllPortable(data []Elem, b Matrix) []Elem {
	if b.Transposed {
		b = b.T()
	}
	data = slices.Grow(data[:0], b.Rows*b.Cols)
	for i := range b.Rows {
		data = append(data, b.Data[i*b.Stride:][:b.Cols]...)
	}
	return data
}

// matrix returns the original as packAllPortable has stored it.
func (p *Packed) matrix() Matrix {
	if p.transposed {
		return NewMatrix(p.data, p.cols, p.rows).T()
	}
	return NewMatrix(p.data, p.rows, p.cols)
}
