package tensor

import "fmt"

// Batch is a sequence of Count matrices of the same shape in the same memory. First is the first
// matrix, and each matrix begins Step elements after the one before. The heads of an activation [N,
// H·d] are Batch{Matrix{x, N, d, H·d, false}, d, H}. A Step of 0 repeats one matrix.
type Batch struct {
	First Matrix
	Step  int
	Count int
}

// At returns matrix number i.
func (b Batch) At(i int) Matrix {
	v := b.First
	v.Data = v.Data[min(i*b.Step, len(v.Data)):]
	return v
}

// GemmBatch computes c.At(i) = α·a.At(i)·b.At(i) for all i, or adds the products, like Gemm. The
// matrices of c must not overlap.
func GemmBatch(c, a, b Batch, alpha Elem, u Update) {
	mustMultiplyBatch(c, a, b)
	machine.gemmBatch(c, a, b, alpha, u)
}

func mustMultiplyBatch(c, a, b Batch) {
	if a.Count != c.Count || b.Count != c.Count || c.Count < 0 || c.Step < 0 || a.Step < 0 || b.Step < 0 {
		panic(ShapeError{"GemmBatch", "equal counts and steps ≥ 0",
			fmt.Sprintf("%d by %d, %d by %d, %d by %d", c.Count, c.Step, a.Count, a.Step, b.Count, b.Step)})
	}
	if c.Count > 0 {
		mustMultiply("GemmBatch", c.First, a.First, b.First)
		last := c.Count - 1
		mustMultiply("GemmBatch", c.At(last), a.At(last), b.At(last))
	}
}
