package tensor

import "fmt"

// Matrix is a view of memory as an array [Rows, Cols]. Element (i, j) is at Data[i·Stride+j], or at
// Data[j·Stride+i] if Transposed. Rows, or columns if Transposed, must not overlap: Stride ≥ Cols,
// or Stride ≥ Rows.
type Matrix struct {
	Data       []Elem
	Rows, Cols int
	Stride     int
	Transposed bool
}

// NewMatrix returns a view of data as a row-major matrix without gaps.
func NewMatrix(data []Elem, rows, cols int) Matrix {
	return Matrix{Data: data, Rows: rows, Cols: cols, Stride: cols}
}

// T returns the transposed matrix, which shares the memory.
func (v Matrix) T() Matrix {
	v.Rows, v.Cols, v.Transposed = v.Cols, v.Rows, !v.Transposed
	return v
}

// String returns the shape of the matrix.
func (v Matrix) String() string { return fmt.Sprintf("[%d,%d]", v.Rows, v.Cols) }

// Update says whether a product overwrites its destination or adds to it.
type Update uint8

// The two updates.
const (
	Overwrite  Update = iota // C = αAB
	Accumulate               // C += αAB
)

// mustFit panics if the matrix has elements outside its memory, or rows that overlap.
func (v Matrix) mustFit(op string) {
	if v.Transposed {
		v = v.T()
	}
	if v.Rows < 0 || v.Cols < 0 {
		panic(ShapeError{op, "rows and columns ≥ 0", v.String()})
	}
	if v.Rows == 0 || v.Cols == 0 {
		return
	}
	if (v.Rows > 1 && v.Stride < v.Cols) || (v.Rows-1)*v.Stride+v.Cols > len(v.Data) {
		panic(ShapeError{op, "rows that stand apart within the memory",
			fmt.Sprintf("%v with stride %d in %d elements", v, v.Stride, len(v.Data))})
	}
}

// Gemm computes C = α·A·B or C += α·A·B for A [m,k], B [k,n] and C [m,n]. A and B can be transposed
// views, but C cannot. The memory of C must not overlap that of A or B. With Overwrite, C is not
// read and can hold anything. Cost: 2mnk FLOPs on one thread. Many goroutines can call Gemm at the
// same time. It panics if the shapes do not match, or if a view exceeds its memory.
func Gemm(c, a, b Matrix, alpha Elem, u Update) {
	mustMultiply("Gemm", c, a, b)
	machine.gemm(c, a, b, alpha, u)
}

// GemmRow computes C = A·B and adds a row [n], such as a bias, to every row. The row must not
// overlap C. It panics under the same conditions as Gemm.
func GemmRow(c, a, b Matrix, row []Elem) {
	mustMultiply("GemmRow", c, a, b)
	mustBeRow("GemmRow", c.Cols, row)
	machine.gemmRow(c, a, b, row)
}

// mustMultiply panics unless C has the shape of A·B.
func mustMultiply(op string, c, a, b Matrix) {
	if a.Cols != b.Rows || c.Rows != a.Rows || c.Cols != b.Cols || c.Transposed {
		panic(ShapeError{op, "C[m,n] = A[m,k]·B[k,n]", fmt.Sprintf("%v = %v·%v", c, a, b)})
	}
	c.mustFit(op)
	a.mustFit(op)
	b.mustFit(op)
}
