package tensor

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestGemmRow: a row is added exactly once to every row of the product, also if the product is
// summed in parts. Nothing is written outside.
func TestGemmRow(t *testing.T) {
	for name, s := range levels() {
		t.Run(name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(9, 1))
			for i := range 120 {
				m, k, n := randomDim(r), randomDim(r), randomDim(r)
				if i == 0 {
					m, k, n = 300, 600, 530
				}
				a, b := randomMatrix(r, m, k, r.IntN(2) == 1), randomMatrix(r, k, n, r.IntN(2) == 1)
				row := randomMatrix(r, 1, n, false).Data[:n:n]
				want, got := randomMatrix(r, m, n, false), randomMatrix(r, m, n, false)
				for _, packed := range []bool{false, true} {
					if packed {
						s.gemmPackedRow(got, a, &Packed{k, n, s.packAll(nil, b), b.Transposed}, row)
					} else {
						s.gemmRow(got, a, b, row)
					}
					gemmPortable(want, a, b, 1, Overwrite)
					addToRows(want, row)
					compareRows(t, got, want, k)
				}
			}
		})
	}
}

func compareRows(t *testing.T, got, want Matrix, k int) {
	t.Helper()
	for i, v := range got.Data[:cap(got.Data)] {
		inside := got.Cols > 0 && i < (got.Rows-1)*got.Stride+got.Cols && i%got.Stride < got.Cols
		if !inside {
			if got.Cols > 0 && !isNaN(v) {
				t.Fatalf("wrote outside %v at %d", got, i)
			}
			continue
		}
		w := want.at(i/got.Stride, i%got.Stride)
		if !(math.Abs(float64(v-w)) <= 8*float64(k+4)*epsilon*(1+math.Sqrt(float64(k)))) {
			t.Fatalf("%v[%d] is %v, want %v", got, i, v, w)
		}
	}
}

// TestWholeIsItsParts: a product with a large C, computed at once, is bit-identical to the product computed a few
// columns at a time, although its tiles are computed in another order.
func TestWholeIsItsParts(t *testing.T) {
	const m, n, part = 260, 16400, 40
	for name, s := range levels() {
		if s == noISA {
			continue // nothing is split
		}
		for _, k := range []int{20, 300} {
			r := rand.New(rand.NewPCG(4, uint64(k)))
			a, b, row := denseMatrix(r, m, k, false), denseMatrix(r, k, n, false), denseMatrix(r, 1, n, false).Data
			all := denseMatrix(r, m, n, false)
			s.gemmRow(all, a, b, row)
			for j := 0; j < n; j += part {
				some := NewMatrix(make([]Elem, m*part), m, part)
				s.gemmRow(some, a, Matrix{Data: b.Data[j:], Rows: k, Cols: part, Stride: n}, row[j:j+part])
				for i := range m {
					for l, want := range some.Data[i*part:][:part] {
						if got := all.Data[i*n+j+l]; got != want {
							t.Fatalf("%s, k=%d: C(%d,%d) is %v, and by itself %v", name, k, i, j+l, got, want)
						}
					}
				}
			}
		}
	}
}
