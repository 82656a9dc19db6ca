package ad

import (
	"attnatlas/engine/tensor"
)

// Compress is y = eᵀ·x along the sequence: e [N,K], x [B,N,d] → [B,K,d]. Cost 2·N·K·d FLOPs.
func Compress(e, x *Var) *Var {
	if e.Value.Rank() != 2 || x.Value.Rank() != 3 || e.Dim(0) != x.Dim(1) {
		panic(shapeError("Compress", e.Value, x.Value))
	}
	t, b, n, k, d := x.tape, x.Dim(0), x.Dim(1), e.Dim(1), x.Dim(2)
	y := t.result([]*Var{e, x}, b, k, d)
	long := func(data []Elem, i int) tensor.View { return tensor.Matrix(data[i*n*d:], n, d) }
	short := func(data []Elem, i int) tensor.View { return tensor.Matrix(data[i*k*d:], k, d) }
	table := tensor.Matrix(e.Value.Data, n, k)
	for i := range b {
		tensor.Gemm(short(y.Value.Data, i), table.T(), long(x.Value.Data, i), 1, tensor.Overwrite)
	}
	t.record(y, func(dy []Elem) {
		if e.active {
			de := tensor.Matrix(e.sum(), n, k)
			for i := range b {
				tensor.Gemm(de, long(x.Value.Data, i), short(dy, i).T(), 1, tensor.Accumulate)
			}
		}
		if x.active {
			dx, u := x.grow()
			for i := range b {
				tensor.Gemm(long(dx.Data, i), table, short(dy, i), 1, u)
			}
		}
	})
	return y
}

// Repeat repeats the features of every position: x [N,m] → [N,count·m]. One head
// serves all.
func Repeat(x *Var, count int) *Var {
	if count == 1 {
		return x
	}
	t, m := x.tape, x.Dim(-1)
	y := t.result([]*Var{x}, last(x.Shape(), count*m)...)
	for i := range y.Value.Len() / m {
		copy(y.Value.Data[i*m:][:m], x.Value.Data[i/count*m:])
	}
	t.record(y, func(dy []Elem) {
		dx := x.sum()
		for i := range y.Value.Len() / m {
			to := dx[i/count*m:][:m]
			tensor.Add(to, to, dy[i*m:][:m])
		}
	})
	return y
}

// MeanPool is the mean of the positions in each window: x [B,N,d] → [B,len(windows),d]. Positions
// that keep [B·N] does not name are left out of it (nil keeps all); a window without
// positions gives 0.
func MeanPool(x *Var, windows []Span, keep []bool) *Var {
	t, b, n, d := x.tape, x.Dim(0), x.Dim(1), x.Dim(2)
	y := t.result([]*Var{x}, b, len(windows), d)
	clear(y.Value.Data)
	// members calls do for the positions of every window, by their rows in x and y.
	members := func(do func(x, y int, share Elem)) {
		for i := range b {
			for s, w := range windows {
				kept := 0
				for j := w.From; j < w.To; j++ {
					if keep == nil || keep[i*n+j] {
						kept++
					}
				}
				for j := w.From; j < w.To; j++ {
					if keep == nil || keep[i*n+j] {
						do(i*n+j, i*len(windows)+s, 1/Elem(kept))
					}
				}
			}
		}
	}
	members(func(from, to int, share Elem) {
		tensor.Axpy(y.Value.Data[to*d:][:d], share, x.Value.Data[from*d:][:d])
	})
	t.record(y, func(dy []Elem) {
		dx := x.sum()
		members(func(to, from int, share Elem) { tensor.Axpy(dx[to*d:][:d], share, dy[from*d:][:d]) })
	})
	return y
}

// AddRowsAt is x with rows[i] added to its row at[i], all sequences counted
// through: x [B,N,d], rows [len(at),d]. The adjoint of Rows.
func AddRowsAt(x, rows *Var, at []int) *Var {
	d := x.Dim(-1)
	if rows.Value.Len() != len(at)*d {
		panic(shapeError("AddRowsAt", x.Value, rows.Value))
	}
	t := x.tape
	y := t.result([]*Var{x, rows}, x.Shape()...)
	copy(y.Value.Data, x.Value.Data)
	for i, r := range at {
		to := y.Value.Data[r*d:][:d]
		tensor.Add(to, to, rows.Value.Data[i*d:][:d])
	}
	t.record(y, func(dy []Elem) {
		if x.active {
			x.add(dy)
		}
		if rows.active {
			dr := rows.sum()
			for i, r := range at {
				tensor.Add(dr[i*d:][:d], dr[i*d:][:d], dy[r*d:][:d])
			}
		}
	})
	return y
}
