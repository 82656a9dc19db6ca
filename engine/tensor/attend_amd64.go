//go:build amd64 && !purego && !f64

package tensor

import (
	"math"
)

// leastSum and mostSum limit the sums of powers. Outside these limits, powers relative to the
// largest score of each row are computed instead. Within them, a power that underflows is less than
// 2⁻⁶² of the sum, and values up to 2⁶³ cannot overflow.
const (
	leastSum = 0x1p-64
	mostSum  = 0x1p64
)

// rowsAtOnce and keysAtOnce limit the powers of two in memory at once, so that they fit into the
// second-level cache.
const (
	rowsAtOnce = 192
	keysAtOnce = blockK
)

// keysOf returns the number of keys, out of m, that are processed at once. It is a number of whole
// panels.
func (s isa) keysOf(m int) int {
	parts := (m + keysAtOnce - 1) / keysAtOnce
	return wholePanels((m+parts-1)/parts, 2*s.lanes())
}

func (s isa) setAttention(a *Attention) {
	m, d, e := a.k.Rows, a.k.Cols, a.v.Cols
	if s == noISA || m == 0 || e == 0 || d == 0 || d > blockK {
		a.exact = true
		return
	}
	a.keys.set(s, a.k.T())
	s.scale(a.keys.data, a.scale*math.Log2E, a.keys.data)
	width, size := wholePanels(e, 2*s.lanes()), s.keysOf(m)
	a.values = grow(a.values, m*width+packSlack)
	for from := 0; from < m; from += size {
		s.packAll(a.values[from*width:], a.v.rows(from, min(size, m-from)))
	}
}

// attend computes y = softmax(scale·q·Kᵀ)·V as (2^S·V)/Σ 2^S with S = q·(scale·log₂e·K)ᵀ. The
// powers of two are computed in the registers that hold the products S, and the division takes
// place after the values are summed.
func (s isa) attend(a *Attention, y, q Matrix) {
	for from := 0; from < q.Rows; from += rowsAtOnce {
		rows := min(rowsAtOnce, q.Rows-from)
		if a.exact = a.exact || !s.attendRows(a, y.rows(from, rows), q.rows(from, rows)); a.exact {
			s.attendExactly(a, y.rows(from, q.Rows-from), q.rows(from, q.Rows-from))
			return
		}
	}
}

// attendRows is attend for some rows. It reports whether the sums of their powers were within the
// limits.
func (s isa) attendRows(a *Attention, y, q Matrix) bool {
	n, m, lanes := q.Rows, a.k.Rows, s.lanes()
	size := s.keysOf(m)
	stride := size + lanes // one more vector, so that rows do not compete for the same places in the cache
	a.memory = grow(a.memory, n*(stride+lanes+1))
	p, parts, sums := a.memory[:n*stride], a.memory[n*stride:][:n*lanes], a.memory[n*(stride+lanes):][:n]
	clear(parts)
	for from := 0; from < m; from += size {
		part := Matrix{Data: p, Rows: n, Cols: min(size, m-from), Stride: stride}
		s.powers(part, parts, q, &Packed{rows: q.Cols, cols: part.Cols, data: a.keys.data[from*q.Cols:]})
		values := &Packed{rows: part.Cols, cols: y.Cols, data: a.values[from*wholePanels(y.Cols, 2*lanes):]}
		s.gemmPacked(y, part, values, 1, updates[min(from, 1)])
	}
	s.laneSums(sums, parts)
	if !invert(sums) {
		return false
	}
	s.scaleRows(y, sums)
	return true
}

// updates are the updates for the first and for other terms.
var updates = [...]Update{Overwrite, Accumulate}

// powers writes p = 2^(q·K) and adds the sums of its rows, separately for each lane, to sums.
func (s isa) powers(p Matrix, sums []Elem, q Matrix, keys *Packed) {
	work := s.beginPacked(&p, &q, keys, 1)
	work.sums = sums
	work.compute()
	work.end()
}

// invert replaces all sums by their inverses, and reports whether all were within the limits.
func invert(sums []Elem) bool {
	for i, sum := range sums {
		if !(sum >= leastSum && sum <= mostSum) {
			return false
		}
		sums[i] = 1 / sum
	}
	return true
}

// laneSums writes the sum of the lanes of each vector.
func (s isa) laneSums(dst, vectors []Elem) {
	if s == isaAVX512 {
		zLaneSums(&dst[0], &vectors[0], len(dst))
	} else {
		yLaneSums(&dst[0], &vectors[0], len(dst))
	}
}

// scaleRows multiplies each row of y by its factor.
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
