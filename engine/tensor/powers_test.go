//go:build amd64 && !purego && !f64

package tensor

import (
	"math"
	"testing"
)

// powerAccuracy is the allowed relative error of powers of two.
const powerAccuracy = 1.6e-7

// powersOf returns 2^x in rows with the given number of columns, and the sums of the rows, as
// attention computes them.
func powersOf(s isa, x Elem, cols int) (p Matrix, sums []Elem) {
	const rows = 13
	stride := wholePanels(cols, 2*s.lanes())
	p = Matrix{Data: make([]Elem, rows*stride), Rows: rows, Cols: cols, Stride: stride}
	q, keys := NewMatrix(make([]Elem, rows), rows, 1), NewMatrix(make([]Elem, cols), cols, 1)
	for i := range q.Data {
		q.Data[i] = x
	}
	for i := range keys.Data {
		keys.Data[i] = 1
	}
	var packed Packed
	packed.set(s, keys.T())
	parts := make([]Elem, rows*s.lanes())
	s.powers(p, parts, q, &packed)
	sums = make([]Elem, rows)
	s.laneSums(sums, parts)
	return p, sums
}

// TestPowers tests numbers of all sizes, in all places of a tile.
func TestPowers(t *testing.T) {
	for name, s := range levels() {
		if s == noISA {
			continue
		}
		for x := -125.99; x < 128; x += 1.0 / 61 {
			p, _ := powersOf(s, Elem(x), 3)
			want := math.Exp2(float64(Elem(x)))
			for i := range p.Rows {
				for j := range p.Cols {
					if e := math.Abs(float64(p.at(i, j))/want - 1); !(e <= powerAccuracy) {
						t.Fatalf("%s: 2^%v is %v, off by %.3g", name, x, p.at(i, j), e)
					}
				}
			}
		}
		for x, want := range map[float64]float64{0: 1, 5: 32, -7: 1. / 128, 127: 0x1p127, -126: 0x1p-126, 128: math.Inf(1),
			1e30: math.Inf(1),
			-160: 0, -1e30: 0, math.Inf(-1): 0, math.Inf(1): math.Inf(1), math.NaN(): math.NaN()} {
			for _, cols := range []int{1, 8, 16, 17, 40} {
				p, sums := powersOf(s, Elem(x), cols)
				for i := range p.Rows {
					if got, sum := p.at(i, cols-1), sums[i]; !same(got, Elem(want)) || !same(sum, Elem(want*float64(cols))) {
						t.Fatalf("%s: %d times 2^%v are %v, and their sum is %v", name, cols, x, got, sum)
					}
				}
			}
		}
	}
}
