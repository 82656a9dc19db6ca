//go:build amd64 && !purego && !f64

package tensor

import (
	"math"
)

// Where a sum of powers is outside of these, powers relative to the largest of each row are computed instead. Within,
// what is lost because it is no normal number is less than 2⁻⁶² of the sum, and values up to 2⁶³ cannot overflow.
const (
	leastSum = 0x1p-64
	mostSum  = 0x1p64
)

func (s isa) setAttention(a *Attention) {
	if s == noISA || a.k.Rows == 0 || a.k.Cols == 0 || a.k.Cols > blockK {
		a.exact = true
		return
	}
	a.keys.set(s, a.k.T())
	s.scale(a.keys.data, a.scale*math.Log2E, a.keys.data)
	a.values.set(s, a.v)
}

// attend computes y = softmax(scale·q·Kᵀ)·V as (2^S·V)/Σ 2^S: the powers of two in the registers in which the products
// S = q·(scale·log₂e·K)ᵀ are, the quotient when the values are summed.
func (s isa) attend(a *Attention, y, q Matrix) {
	if !a.exact && y.Rows > 0 && y.Cols > 0 {
		p, factors := s.powers(a, q)
		if a.exact = !invert(factors); !a.exact {
			s.gemmPacked(y, p, &a.values, 1, Overwrite)
			s.scaleRows(y, factors)
			return
		}
	}
	s.attendExactly(a, y, q)
}

// powers are 2^S [n,m], and the sums of its rows.
func (s isa) powers(a *Attention, q Matrix) (p Matrix, sums []Elem) {
	n, lanes := q.Rows, s.lanes()
	// One more vector, so that rows do not compete for few places in the cache.
	stride := wholePanels(a.k.Rows, 2*lanes) + lanes
	a.memory = grow(a.memory, n*(stride+lanes+1))
	p = Matrix{Data: a.memory[:n*stride], Rows: n, Cols: a.k.Rows, Stride: stride}
	parts := a.memory[n*stride:][:n*lanes]
	sums = a.memory[n*(stride+lanes):][:n]
	clear(parts)
	work := s.beginPacked(&p, &q, &a.keys, 1)
	work.sums = parts
	work.compute()
	work.end()
	s.laneSums(sums, parts)
	return p, sums
}

// invert says whether all sums were fit to be divided by, and has their inverses instead.
func invert(sums []Elem) bool {
	for i, sum := range sums {
		if !(sum >= leastSum && sum <= mostSum) {
			return false
		}
		sums[i] = 1 / sum
	}
	return true
}

// laneSums adds the lanes of each vector.
func (s isa) laneSums(dst, vectors []Elem) {
	if s == isaAVX512 {
		zLaneSums(&dst[0], &vectors[0], len(dst))
	} else {
		yLaneSums(&dst[0], &vectors[0], len(dst))
	}
}

// scaleRows multiplies each row of y with its factor.
func (s isa) scaleRows(y Matrix, factors []Elem) {
	stride := uintptr(y.Stride * elemSize)
	if s == isaAVX512 {
		zScaleRows(&y.Data[0], &factors[0], y.Rows, y.Cols, stride)
	} else {
		yScaleRows(&y.Data[0], &factors[0], y.Rows, y.Cols, stride)
	}
}

//go:noescape
func zLaneSums(dst, src *Elem, rows int)

//go:noescape
func yLaneSums(dst, src *Elem, rows int)

//go:noescape
func zScaleRows(dst, factors *Elem, rows, cols int, stride uintptr)

//go:noescape
func yScaleRows(dst, factors *Elem, rows, cols int, stride uintptr)
