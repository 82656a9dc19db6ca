package tensor

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// benchShapes are products of attention and of training, M×K×N.
var benchShapes = []struct{ m, k, n int }{
	{16, 32, 16}, {32, 64, 32}, {64, 64, 64}, {64, 32, 64}, {16, 128, 128}, {128, 128, 128},
	{512, 64, 512}, {512, 512, 512}, {2048, 128, 128}, {2048, 128, 512}, {2048, 512, 128},
	{128, 2048, 512}, {100, 100, 100}, {1, 128, 512},
}

func BenchmarkGemm(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, s := range benchShapes {
		for _, layout := range []string{"NN", "NT", "TN"} {
			x, y := denseMatrix(r, s.m, s.k, layout[0] == 'T'), denseMatrix(r, s.k, s.n, layout[1] == 'T')
			z := denseMatrix(r, s.m, s.n, false)
			for name, product := range gemms() {
				b.Run(fmt.Sprintf("%dx%dx%d/%s/%s", s.m, s.k, s.n, layout, name), func(b *testing.B) {
					for range b.N {
						product(z, x, y, 1, Overwrite)
					}
					flops := 2 * float64(s.m) * float64(s.k) * float64(s.n) * float64(b.N)
					b.ReportMetric(flops/float64(b.Elapsed().Nanoseconds()), "GFLOP/s")
				})
			}
		}
	}
}

func denseMatrix(r *rand.Rand, rows, cols int, transposed bool) Matrix {
	if transposed {
		return denseMatrix(r, cols, rows, false).T()
	}
	v := NewMatrix(make([]Elem, rows*cols), rows, cols)
	for i := range v.Data {
		v.Data[i] = Elem(r.NormFloat64())
	}
	return v
}

// BenchmarkKernels reports the time per element of rows of 512.
func BenchmarkKernels(b *testing.B) {
	const rows, cols = 64, 512
	r := rand.New(rand.NewPCG(1, 1))
	for _, o := range ops {
		var args [][]Elem
		for _, n := range o.lengths(rows, cols) {
			arg := denseMatrix(r, 1, n, false).Data
			for i := range arg {
				arg[i] = max(arg[i], -arg[i])
			}
			args = append(args, arg)
		}
		for name, s := range levels() {
			b.Run(o.name+"/"+name, func(b *testing.B) {
				for range b.N {
					o.run(s, args, cols)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/(rows*cols), "ns/elem")
			})
		}
	}
}
