package tensor

import (
	"math/rand/v2"
	"runtime"
	"sync/atomic"
	"testing"
)

// TestGemmPacked packs the right factor and multiplies.
func TestGemmPacked(t *testing.T) {
	for name, s := range levels() {
		t.Run(name, func(t *testing.T) {
			product := func(c, a, b View, alpha Elem, u Update) {
				s.gemmPacked(c, a, &Packed{b.Rows, b.Cols, s.packAll(b)}, alpha, u)
			}
			r := rand.New(rand.NewPCG(1, 2))
			for range 100 {
				checkGemm(t, product, r, randomDim(r), randomDim(r), randomDim(r))
			}
			checkGemm(t, product, r, 20, 600, 1100)
		})
	}
}

// TestGemmBatchOfHeads multiplies the heads of an activation, which stand side
// by side, and compares them with single products.
func TestGemmBatchOfHeads(t *testing.T) {
	const n, heads, d = 19, 5, 7
	r := rand.New(rand.NewPCG(1, 2))
	q, k := denseView(r, n, heads*d, false), denseView(r, n, heads*d, false)
	head := func(v View) Batch { return Batch{View{v.Data, n, d, v.Stride, false}, d, heads} }
	keys := head(k)
	keys.First = keys.First.T()
	for name, s := range levels() {
		for _, workers := range []Workers{0, 4} {
			scores := Batch{Matrix(make([]Elem, heads*n*n), n, n), n * n, heads}
			if workers == 0 {
				s.gemmBatch(scores, head(q), keys, 0.5, Overwrite)
			} else {
				workers.GemmBatch(scores, head(q), keys, 0.5, Overwrite)
			}
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
	}
	mustPanic(t, "counts", func() {
		GemmBatch(Batch{q, 0, 1}, Batch{q, 0, 2}, Batch{q, 0, 1}, 1, Overwrite)
	})
	mustPanic(t, "the last one", func() {
		scores := Batch{Matrix(make([]Elem, heads*n*n-1), n, n), n * n, heads}
		GemmBatch(scores, head(q), keys, 1, Overwrite)
	})
}

// TestWorkersAgree compares products by one and by several goroutines, which
// must be equal to the last bit.
func TestWorkersAgree(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	r := rand.New(rand.NewPCG(1, 2))
	for _, layout := range []string{"NN", "NT", "TN", "TT"} {
		for _, s := range [][3]int{{401, 99, 307}, {130, 700, 390}, {97, 1000, 97}} {
			a, b := denseView(r, s[0], s[1], layout[0] == 'T'), denseView(r, s[1], s[2], layout[1] == 'T')
			one, many := denseView(r, s[0], s[2], false), denseView(r, s[0], s[2], false)
			Gemm(one, a, b, 2, Overwrite)
			Workers(3).Gemm(many, a, b, 2, Overwrite)
			for i, x := range one.Data {
				if many.Data[i] != x {
					t.Fatalf("%s %v: %v by one, %v by many at %d", layout, s, x, many.Data[i], i)
				}
			}
		}
	}
}

func TestEachCallsAllOnce(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	for _, w := range []Workers{-1, 0, 1, 2, 9} {
		for n := range 40 {
			calls := make([]atomic.Int32, n)
			w.Each(n, func(i int) { calls[i].Add(1) })
			for i := range calls {
				if c := calls[i].Load(); c != 1 {
					t.Fatalf("%d workers called f(%d) of %d %d times", w, i, n, c)
				}
			}
		}
	}
}

func TestEachPassesPanicsOn(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	for range 50 {
		mustPanic(t, "Each", func() {
			Workers(4).Each(100, func(i int) {
				if i%10 == 7 {
					panic(ShapeError{Op: "test"})
				}
			})
		})
	}
}
