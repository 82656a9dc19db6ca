package tensor

import (
	"fmt"
	"math"
	"math/rand/v2"
	"sync"
	"testing"
)

// gemmFunc is an implementation of the product. Every build tests all that it has.
type gemmFunc func(c, a, b Matrix, alpha Elem, u Update)

func gemms() map[string]gemmFunc {
	all := map[string]gemmFunc{}
	for name, s := range levels() {
		all[name] = s.gemm
	}
	return all
}

// gemmSlack bounds the rounding error of a sum of k products: it is at most gemmSlack·k·ε times the
// sum of their magnitudes.
const gemmSlack = 1.5

func TestGemmAgainstDefinition(t *testing.T) {
	for name, product := range gemms() {
		t.Run(name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(1, 2))
			for range 200 {
				checkGemm(t, product, r, randomDim(r), randomDim(r), randomDim(r))
			}
			for m := range 30 {
				checkGemm(t, product, r, m, 1+m%7, 37-m)
			}
			for n := range 70 {
				checkGemm(t, product, r, 13, 9, n)
			}
			checkGemm(t, product, r, 300, 300, 530)
		})
	}
}

// randomDim returns a size that is usually small, and sometimes larger than a block of some kind.
func randomDim(r *rand.Rand) int {
	switch r.IntN(8) {
	case 0:
		return r.IntN(3)
	case 1:
		return 100 + r.IntN(300)
	}
	return 1 + r.IntN(70)
}

// randomMatrix returns a matrix with gaps between its rows, in either layout, in memory that is
// otherwise filled with NaN.
func randomMatrix(r *rand.Rand, rows, cols int, transposed bool) Matrix {
	if transposed {
		return randomMatrix(r, cols, rows, false).T()
	}
	const margin = 40
	v := Matrix{Rows: rows, Cols: cols, Stride: cols + r.IntN(2)*r.IntN(9)}
	all := make([]Elem, 2*margin+rows*v.Stride)
	for i := range all {
		all[i] = Elem(math.NaN())
	}
	v.Data = all[margin:]
	for i := range rows {
		for j := range cols {
			v.Data[i*v.Stride+j] = Elem(r.NormFloat64())
		}
	}
	return v
}

func checkGemm(t *testing.T, product gemmFunc, r *rand.Rand, m, k, n int) {
	t.Helper()
	a := randomMatrix(r, m, k, r.IntN(2) == 1)
	b := randomMatrix(r, k, n, r.IntN(2) == 1)
	c := randomMatrix(r, m, n, false)
	alpha, u := Elem(1), Update(r.IntN(2))
	if r.IntN(2) == 0 {
		alpha = Elem(r.NormFloat64())
	}
	what := fmt.Sprintf("%d·%d·%d, transposed %v %v, strides %d %d %d, update %d",
		m, k, n, a.Transposed, b.Transposed, a.Stride, b.Stride, c.Stride, u)
	want, scale := definition(c, a, b, alpha, u)
	before := append([]Elem(nil), c.Data[:cap(c.Data)]...)
	product(c, a, b, alpha, u)
	for i, was := range before {
		row, col := 0, i
		if c.Stride > 0 {
			row, col = i/c.Stride, i%c.Stride
		}
		got := c.Data[:cap(c.Data)][i]
		if row >= m || col >= n {
			if !same(got, was) {
				t.Fatalf("%s: wrote outside, %v over %v at %d", what, got, was, i)
			}
			continue
		}
		p := row*n + col
		if bound := gemmSlack * float64(k+2) * epsilon * scale[p]; !(math.Abs(float64(got)-want[p]) <= bound) {
			t.Fatalf("%s: C[%d,%d] = %v, want %v ± %v", what, row, col, got, want[p], bound)
		}
	}
}

// epsilon is the distance from 1 to the next Elem.
var epsilon = func() float64 {
	e := Elem(1)
	for 1+e/2 != 1 {
		e /= 2
	}
	return float64(e)
}()

func same(x, y Elem) bool { return x == y || (isNaN(x) && isNaN(y)) }

func isNaN(x Elem) bool { return math.IsNaN(float64(x)) }

// definition returns the product and, for each element, the sum of the magnitudes.
func definition(c, a, b Matrix, alpha Elem, u Update) (want, scale []float64) {
	for i := range c.Rows {
		for j := range c.Cols {
			var sum, size float64
			for k := range a.Cols {
				p := float64(alpha) * float64(a.at(i, k)) * float64(b.at(k, j))
				sum += p
				size += math.Abs(p)
			}
			if u == Accumulate {
				sum += float64(c.at(i, j))
				size += math.Abs(float64(c.at(i, j)))
			}
			want, scale = append(want, sum), append(scale, size)
		}
	}
	return want, scale
}

// TestGemmStaysInside multiplies matrices that begin or end at the limits of accessible memory.
func TestGemmStaysInside(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	var arenas [3][]Elem
	for i := range arenas {
		arenas[i] = newArena(t, 300*80)
	}
	place := func(arena []Elem, rows, cols int, transposed bool) Matrix {
		stride, n := cols, rows*cols
		if transposed {
			stride = rows
		}
		v := Matrix{Data: arena[:n:n], Rows: rows, Cols: cols, Stride: stride, Transposed: transposed}
		if r.IntN(2) == 0 {
			v.Data = arena[len(arena)-n:]
		}
		return v
	}
	for name, product := range gemms() {
		for range 200 {
			m, k, n := 1+r.IntN(80), 1+r.IntN(300), 1+r.IntN(80)
			a := place(arenas[0], m, k, r.IntN(2) == 0)
			b := place(arenas[1], k, n, r.IntN(2) == 0)
			c := place(arenas[2], m, n, false)
			for i := range a.Data {
				a.Data[i] = 1
			}
			for i := range b.Data {
				b.Data[i] = 2
			}
			product(c, a, b, 1, Overwrite)
			for _, x := range c.Data {
				if x != Elem(2*k) {
					t.Fatalf("%s: %d·%d·%d: %v instead of %d", name, m, k, n, x, 2*k)
				}
			}
		}
	}
}

func TestGemmNotANumber(t *testing.T) {
	for name, product := range gemms() {
		for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
			a, b := NewMatrix(make([]Elem, 5*6), 5, 6), NewMatrix(make([]Elem, 6*35), 6, 35)
			c := NewMatrix(make([]Elem, 5*35), 5, 35)
			for i := range a.Data {
				a.Data[i] = 1
			}
			for i := range b.Data {
				b.Data[i] = 2
			}
			b.Data[3*35+33] = Elem(bad)
			product(c, a, b, 1, Overwrite)
			for i, got := range c.Data {
				want := Elem(12)
				if i%35 == 33 {
					want = Elem(bad)
				}
				if !same(got, want) {
					t.Fatalf("%s: with %v in B, C[%d,%d] = %v", name, bad, i/35, i%35, got)
				}
			}
		}
	}
}

func TestGemmPanics(t *testing.T) {
	m := func(rows, cols int) Matrix { return NewMatrix(make([]Elem, rows*cols), rows, cols) }
	short := m(3, 4)
	short.Data = short.Data[:11]
	narrow := m(3, 4)
	narrow.Stride = 3
	for name, f := range map[string]func(){
		"inner":      func() { Gemm(m(2, 2), m(2, 3), m(4, 2), 1, Overwrite) },
		"rows":       func() { Gemm(m(3, 2), m(2, 3), m(3, 2), 1, Overwrite) },
		"columns":    func() { Gemm(m(2, 3), m(2, 3), m(3, 2), 1, Overwrite) },
		"transposed": func() { Gemm(m(2, 2).T(), m(2, 3), m(3, 2), 1, Overwrite) },
		"short":      func() { Gemm(m(2, 4), m(2, 3), short, 1, Overwrite) },
		"narrow":     func() { Gemm(m(2, 4), m(2, 3), narrow, 1, Overwrite) },
	} {
		mustPanic(t, name, f)
	}
}

// mustPanic checks that f panics with a ShapeError.
func mustPanic(t *testing.T, name string, f func()) {
	t.Helper()
	defer func() {
		if _, ok := recover().(ShapeError); !ok {
			t.Errorf("%s: no ShapeError", name)
		}
	}()
	f()
}

func TestGemmConcurrently(t *testing.T) {
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			r := rand.New(rand.NewPCG(uint64(i), 3))
			for range 20 {
				checkGemm(t, Gemm, r, randomDim(r), randomDim(r), randomDim(r))
			}
		})
	}
	wg.Wait()
}

func TestGemmMakesNoGarbage(t *testing.T) {
	if poolsForget {
		t.Skip("sync.Pool forgets under the race detector")
	}
	r := rand.New(rand.NewPCG(1, 1))
	a, b := randomMatrix(r, 130, 300, true), randomMatrix(r, 300, 70, true)
	c := randomMatrix(r, 130, 70, false)
	if n := testing.AllocsPerRun(20, func() { Gemm(c, a, b, 1, Overwrite) }); n >= 1 {
		t.Errorf("%v allocations per product", n)
	}
}
