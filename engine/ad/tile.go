package ad

import (
	"slices"

	"attnatlas/engine/tensor"
)

// Tile is count copies of x, one after the other along a new first axis:
// [N,d] → [count,N,d].
func Tile(x *Var, count int) *Var {
	t, size := x.tape, x.Value.Len()
	y := t.result([]*Var{x}, append([]int{count}, x.Shape()...)...)
	for c := range count {
		copy(y.Value.Data[c*size:], x.Value.Data)
	}
	t.record(y, func(dy []Elem) {
		dx := x.sum()
		for c := range count {
			tensor.Add(dx, dx, dy[c*size:][:size])
		}
	})
	return y
}

// RowProducts is the first n of all products of a row of x with the same row of
// z, y_j = x_{⌊j/Z⌋}·z_{j mod Z}: x [N,X], z [N,Z] → [N,n] with n ≤ X·Z, the
// row-wise Kronecker product without the columns that nobody wants.
func RowProducts(x, z *Var, n int) *Var {
	cx, cz, rank := x.Dim(-1), z.Dim(-1), x.Value.Rank()
	if z.Value.Rank() != rank || !slices.Equal(x.Shape()[:rank-1], z.Shape()[:rank-1]) || n < 0 || n > cx*cz {
		panic(shapeError("RowProducts", x.Value, z.Value))
	}
	t, rows := x.tape, x.Value.Len()/max(cx, 1)
	y := t.result([]*Var{x, z}, last(x.Shape(), n)...)
	// each visits the columns in pieces that share one number of x's row r
	each := func(r int, visit func(i, from, to int)) {
		for i := 0; i*cz < n; i++ {
			visit(r*cx+i, r*n+i*cz, r*n+min((i+1)*cz, n))
		}
	}
	for r := range rows {
		each(r, func(i, from, to int) {
			tensor.Scale(y.Value.Data[from:to], x.Value.Data[i], z.Value.Data[r*cz:][:to-from])
		})
	}
	t.record(y, func(dy []Elem) {
		for r := range rows {
			each(r, func(i, from, to int) {
				if x.active {
					x.sum()[i] += tensor.Dot(dy[from:to], z.Value.Data[r*cz:][:to-from])
				}
				if z.active {
					tensor.Axpy(z.sum()[r*cz:][:to-from], x.Value.Data[i], dy[from:to])
				}
			})
		}
	})
	return y
}
