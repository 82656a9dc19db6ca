package tensor

import (
	"fmt"
	"slices"
)

// Attention computes softmax(scale·Q·Kᵀ)·V for one K [m,d] and V [m,e] and any number of Q [n,d].
// It reuses its memory for later keys and values. The scores exist for some rows of Q at a time and
// are not accessible.
type Attention struct {
	k, v   Matrix
	scale  Elem
	keys   Packed // K, or a multiple of K, if packed
	packed bool
	exact  bool   // some scores are too large or too small: powers must be relative to the largest score
	values []Elem // V, in the order in which products read it
	memory []Elem // for scores and intermediate results
}

// Set sets the keys and values. They must not change until all rows have been computed.
func (a *Attention) Set(k, v Matrix, scale Elem) { a.set(machine, k, v, scale) }

func (a *Attention) set(s isa, k, v Matrix, scale Elem) {
	if k.Rows != v.Rows || k.Transposed || v.Transposed {
		panic(ShapeError{"Attention", "K[m,d], V[m,e]", fmt.Sprintf("%v, %v", k, v)})
	}
	k.mustFit("Attention")
	v.mustFit("Attention")
	a.k, a.v, a.scale, a.packed, a.exact = k, v, scale, false, false
	s.setAttention(a)
}

// Rows writes y [n,e] = softmax(scale·q·Kᵀ)·V for rows q [n,d]. It panics if the shapes do not
// match.
func (a *Attention) Rows(y, q Matrix) { a.rows(machine, y, q) }

func (a *Attention) rows(s isa, y, q Matrix) {
	if q.Cols != a.k.Cols || q.Rows != y.Rows || y.Cols != a.v.Cols || y.Transposed || q.Transposed {
		panic(ShapeError{"Attention", "y[n,e], q[n,d] for K[m,d], V[m,e]", fmt.Sprintf("%v, %v for %v, %v", y, q, a.k, a.v)})
	}
	y.mustFit("Attention")
	q.mustFit("Attention")
	s.attend(a, y, q)
}

// blockOfScores is the number of scores in memory at once, which fit into the second-level cache.
const blockOfScores = 96 * 512

// ScoredRows returns the number of rows of cols scores that are computed at once: all rows, or a multiple of the
// row count that is best for products.
func ScoredRows(rows, cols int) int {
	const tile = 12
	return min(rows, max(4*tile, blockOfScores/max(cols, 1)/tile*tile))
}

// rows returns count rows of a matrix that is not transposed, starting with row from.
func (v Matrix) rows(from, count int) Matrix {
	v.Data = v.Data[min(from*v.Stride, len(v.Data)):]
	v.Rows = count
	return v
}

// attendExactly is attend by definition: every power is relative to the largest of its row.
func (s isa) attendExactly(a *Attention, y, q Matrix) {
	if !a.packed {
		a.keys.set(s, a.k.T())
		a.packed = true
	}
	size := ScoredRows(q.Rows, a.k.Rows)
	a.memory = slices.Grow(a.memory[:0], size*a.k.Rows)
	for from := 0; from < q.Rows; from += size {
		rows := min(size, q.Rows-from)
		scores := NewMatrix(a.memory[:rows*a.k.Rows], rows, a.k.Rows)
		s.gemmPacked(scores, q.rows(from, rows), &a.keys, a.scale, Overwrite)
		if len(scores.Data) > 0 {
			s.softmaxRows(scores.Data, scores.Data, scores.Cols)
		}
		s.gemm(y.rows(from, rows), scores, a.v, 1, Overwrite)
	}
}
