//go:build js && wasm && !purego && !f64

package tensor

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// TestProductHasPortableBits: with vector instructions, every element has the same bits as without,
// for every shape.
func TestProductHasPortableBits(t *testing.T) {
	if !vectors {
		t.Fatal("there are no vectors here")
	}
	r := rand.New(rand.NewPCG(1, 2))
	view := func(rows, cols int, transposed bool) Matrix {
		v := Matrix{Rows: rows, Cols: cols, Stride: cols + r.IntN(4)}
		if transposed {
			v.Stride, v.Transposed = rows+r.IntN(4), true
		}
		v.Data = make([]Elem, 1+(rows+4)*(cols+4))
		for i := range v.Data {
			v.Data[i] = r.Float32() - 0.5
		}
		return v
	}
	for trial := range 3000 {
		m, k, n := 1+r.IntN(21), 1+r.IntN(21), 1+r.IntN(33)
		if trial%10 == 0 {
			k += 250 * (1 + r.IntN(3))
		}
		alpha := []Elem{1, 0.25, -1.7}[r.IntN(3)]
		u := Update(r.IntN(2))
		a, b, c := view(m, k, r.IntN(2) == 0), view(k, n, r.IntN(2) == 0), view(m, n, false)
		want := c
		want.Data = append([]Elem(nil), c.Data...)
		product(c, a, b, alpha, u)
		gemmPortable(want, a, b, alpha, u)
		for i := range c.Data {
			if math.Float32bits(c.Data[i]) != math.Float32bits(want.Data[i]) {
				t.Fatalf("%v·%v, transposed %v and %v, α = %v, update %d: element %d is %v, portable %v", a, b, a.Transposed,
					b.Transposed, alpha, u, i, c.Data[i], want.Data[i])
			}
		}
	}
}

// BenchmarkProduct measures products that occur in models.
func BenchmarkProduct(b *testing.B) {
	for _, s := range [][3]int{{15, 128, 128}, {60, 128, 128}, {60, 128, 512}, {60, 512, 128}, {60, 32, 60}} {
		x, y, z := New(s[0], s[1]), New(s[1], s[2]), New(s[0], s[2])
		for name, f := range map[string]func(c, a, b Matrix, alpha Elem, u Update){"vectors": product,
			"portable": gemmPortable} {
			b.Run(fmt.Sprintf("%s %dx%dx%d", name, s[0], s[1], s[2]), func(b *testing.B) {
				for range b.N {
					f(NewMatrix(z.Data, s[0], s[2]), NewMatrix(x.Data, s[0], s[1]), NewMatrix(y.Data, s[1], s[2]), 1, Overwrite)
				}
				b.ReportMetric(2*float64(s[0]*s[1]*s[2])*float64(b.N)/float64(b.Elapsed().Nanoseconds()), "GFLOP/s")
			})
		}
	}
}
