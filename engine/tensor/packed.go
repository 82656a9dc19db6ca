package tensor

import (
	"fmt"
	"slices"
)

// Packed is a copy of a matrix in the order in which products read their right
// factor. It saves the work of arranging one that serves often, such as a
// weight, the more the fewer rows the left factor has. It does not follow
// changes of the original, and may be used by many goroutines at a time.
type Packed struct {
	rows, cols int
	data       []Elem
	transposed bool // the original was, which the portable kernels keep
}

// Pack copies a matrix, transposed or not.
func Pack(b Matrix) *Packed {
	p := new(Packed)
	p.Set(b)
	return p
}

// Set copies another matrix into p, whose memory is used again where it suffices.
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

// mustMultiply panics unless C may hold A·p.
func (p *Packed) mustMultiply(op string, c, a Matrix) {
	if a.Cols != p.rows || c.Rows != a.Rows || c.Cols != p.cols || c.Transposed {
		panic(ShapeError{op, "C[m,n] = A[m,k]·B[k,n]",
			fmt.Sprintf("%v = %v·[%d,%d]", c, a, p.rows, p.cols)})
	}
	c.mustFit(op)
	a.mustFit(op)
}

// packAllPortable copies a matrix without gaps in the order of its memory, to data where that has room.
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

// matrix is the original, as packAllPortable keeps it.
func (p *Packed) matrix() Matrix {
	if p.transposed {
		return NewMatrix(p.data, p.cols, p.rows).T()
	}
	return NewMatrix(p.data, p.rows, p.cols)
}
