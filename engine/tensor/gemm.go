package tensor

import "fmt"

// Matrix is an array [Rows, Cols] inside somebody else's memory. Element (i, j)
// stands at Data[i·Stride+j], or at Data[j·Stride+i] when Transposed. Rows, or
// columns when Transposed, must not overlap: Stride ≥ Cols, or ≥ Rows.
type Matrix struct {
	Data       []Elem
	Rows, Cols int
	Stride     int
	Transposed bool
}

// NewMatrix sees memory as a row-major matrix without gaps.
func NewMatrix(data []Elem, rows, cols int) Matrix {
	return Matrix{Data: data, Rows: rows, Cols: cols, Stride: cols}
}

// T is the transposed matrix in the same memory.
func (v Matrix) T() Matrix {
	v.Rows, v.Cols, v.Transposed = v.Cols, v.Rows, !v.Transposed
	return v
}

// String returns the shape of the matrix.
func (v Matrix) String() string { return fmt.Sprintf("[%d,%d]", v.Rows, v.Cols) }

// Update says what a product does with what stands in its destination.
type Update uint8

// The two updates.
const (
	Overwrite  Update = iota // C = αAB
	Accumulate               // C += αAB
)

// mustFit panics if the matrix has elements outside its memory, or rows that
// overlap.
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

// Gemm computes C = α·A·B or C += α·A·B for A [m,k], B [k,n], C [m,n], where A
// and B may be transposed views and C may not. The memory of C must not
// overlap that of A or B. With Overwrite, C is not read: it may hold anything.
// Cost 2mnk FLOPs, on one thread; many goroutines may call it at a time. It
// panics if the shapes do not fit together or a view not into its memory.
func Gemm(c, a, b Matrix, alpha Elem, u Update) {
	mustMultiply("Gemm", c, a, b)
	machine.gemm(c, a, b, alpha, u)
}

// GemmRow computes C = A·B with a row [n] added to every row, as a bias is. The row must not
// overlap C; it panics as Gemm does.
func GemmRow(c, a, b Matrix, row []Elem) {
	mustMultiply("GemmRow", c, a, b)
	mustBeRow("GemmRow", c.Cols, row)
	machine.gemmRow(c, a, b, row)
}

// mustMultiply panics unless C may hold A·B.
func mustMultiply(op string, c, a, b Matrix) {
	if a.Cols != b.Rows || c.Rows != a.Rows || c.Cols != b.Cols || c.Transposed {
		panic(ShapeError{op, "C[m,n] = A[m,k]·B[k,n]", fmt.Sprintf("%v = %v·%v", c, a, b)})
	}
	c.mustFit(op)
	a.mustFit(op)
	b.mustFit(op)
}
