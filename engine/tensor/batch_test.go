package tensor

import (
	"math/rand/v2"
	"testing"
)

// TestGemmPacked packs the right factor and multiplies.
func TestGemmPacked(t *testing.T) {
	for name, s := range levels() {
		t.Run(name, func(t *testing.T) {
			product := func(c, a, b Matrix, alpha Elem, u Update) {
				s.gemmPacked(c, a, &Packed{b.Rows, b.Cols, s.packAll(nil, b), b.Transposed}, alpha, u)
			}
			r := rand.New(rand.NewPCG(1, 2))
			for range 100 {
				checkGemm(t, product, r, randomDim(r), randomDim(r), randomDim(r))
			}
			checkGemm(t, product, r, 20, 600, 1100)
		})
	}
}

// TestGemmBatchOfHeads multiplies the heads of an activation, which are stored side by side, and
// compares them with single products.
func TestGemmBatchOfHeads(t *testing.T) {
	const n, heads, d = 19, 5, 7
	r := rand.New(rand.NewPCG(1, 2))
	q, k := denseMatrix(r, n, heads*d, false), denseMatrix(r, n, heads*d, false)
	head := func(v Matrix) Batch { return Batch{Matrix{v.Data, n, d, v.Stride, false}, d, heads} }
	keys := head(k)
	keys.First = keys.First.T()
	for name, s := range levels() {
		scores := Batch{NewMatrix(make([]Elem, heads*n*n), n, n), n * n, heads}
		s.gemmBatch(scores, head(q), keys, 0.5, Overwrite)
		for h := range heads {
			want, scale := definition(scores.At(h), head(q).At(h), keys.At(h), 0.5, Overwrite)
			for i, w := range want {
				got := float64(scores.First.Data[h*n*n+i])
				if !(max(got-w, w-got) <= gemmSlack*(d+2)*epsilon*scale[i]) {
					t.Fatalf("%s: head %d, element %d: %v instead of %v", name, h, i, got, w)
				}
			}
		}
	}
	mustPanic(t, "counts", func() {
		GemmBatch(Batch{q, 0, 1}, Batch{q, 0, 2}, Batch{q, 0, 1}, 1, Overwrite)
	})
	mustPanic(t, "the last one", func() {
		scores := Batch{NewMatrix(make([]Elem, heads*n*n-1), n, n), n * n, heads}
		GemmBatch(scores, head(q), keys, 1, Overwrite)
	})
}
