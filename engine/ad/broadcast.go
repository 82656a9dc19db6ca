package ad

import (
	"slices"

	"attnatlas/engine/tensor"
)

// AddScalars returns x + c for an array c without a gradient, such as an additive mask. c has the
// shape of x, or that shape without some leading axes.
func AddScalars(x *Var, c *tensor.T) *Var {
	if c.Len() == 0 || x.Value.Len()%c.Len() != 0 {
		panic(shapeError("AddScalars", x.Value, c))
	}
	t := x.tape
	y := t.result([]*Var{x}, x.Shape()...)
	y.explain(func(i int) Origin {
		o := sums(Number{x, i})
		o.Constant = float64(c.Data[i%c.Len()])
		return o
	})
	tensor.AddRow(y.Value.Data, x.Value.Data, c.Data)
	t.record(y, func(dy []Elem) { x.add(dy) })
	return y
}

// AddRows adds one table [N,d], such as position embeddings, to every sequence of x [B,N,d].
func AddRows(x, table *Var) *Var {
	size := table.Value.Len()
	if size == 0 || x.Value.Len()%size != 0 || x.Dim(-1) != table.Dim(-1) {
		panic(shapeError("AddRows", x.Value, table.Value))
	}
	t := x.tape
	y := t.result([]*Var{x, table}, x.Shape()...)
	y.explain(func(i int) Origin { return sums(Number{x, i}, Number{table, i % size}) })
	tensor.AddRow(y.Value.Data, x.Value.Data, table.Value.Data)
	t.record(y, func(dy []Elem) {
		if x.active {
			x.add(dy)
		}
		if table.active {
			tensor.SumRows(table.sum(), dy, size)
		}
	})
	return y
}

// MulRow returns y_n = r ∘ x_n for one row r [1,d] and x [N,d]. The row multiplies every position
// of its sequence, element by element.
func MulRow(r, x *Var) *Var {
	b, n, d := x.Dim(0), x.Dim(1), x.Dim(2)
	if !slices.Equal(r.Shape(), []int{b, 1, d}) {
		panic(shapeError("MulRow", r.Value, x.Value))
	}
	t := x.tape
	y := t.result([]*Var{r, x}, x.Shape()...)
	y.explain(func(i int) Origin { return product(Number{r, i/(n*d)*d + i%d}, Number{x, i}) })
	for i := range b {
		tensor.MulRows(y.Value.Data[i*n*d:][:n*d], x.Value.Data[i*n*d:][:n*d], r.Value.Data[i*d:][:d])
	}
	t.record(y, func(dy []Elem) {
		if r.active {
			dr := r.sum()
			for i := range b {
				tensor.MulSumRows(dr[i*d:][:d], dy[i*n*d:][:n*d], x.Value.Data[i*n*d:][:n*d], d)
			}
		}
		if x.active {
			x.addMulRows(dy, r.Value.Data, n, d)
		}
	})
	return y
}

// addMulRows adds r∘dy to the adjoint of v. r has one row [d] for every n rows of dy.
func (v *Var) addMulRows(dy, r []Elem, n, d int) {
	dx, u := v.grow()
	to := dx.Data
	if u == tensor.Accumulate {
		to = v.tape.numbers.take(len(dy))
	}
	for i := 0; i*n*d < len(dy); i++ {
		tensor.MulRows(to[i*n*d:][:n*d], dy[i*n*d:][:n*d], r[i*d:][:d])
	}
	if u == tensor.Accumulate {
		tensor.Add(dx.Data, dx.Data, to)
	}
}

// ScaleColumns returns x_n ∘ s for every position: x [N,d], s [d].
func ScaleColumns(x, s *Var) *Var {
	d := x.Dim(-1)
	if s.Value.Len() != d {
		panic(shapeError("ScaleColumns", x.Value, s.Value))
	}
	t := x.tape
	y := t.result([]*Var{x, s}, x.Shape()...)
	y.explain(func(i int) Origin { return product(Number{x, i}, Number{s, i % d}) })
	tensor.MulRows(y.Value.Data, x.Value.Data, s.Value.Data)
	t.record(y, func(dy []Elem) {
		if x.active {
			x.addMulRows(dy, s.Value.Data, len(dy)/max(d, 1), d)
		}
		if s.active {
			product := t.numbers.take(len(dy))
			tensor.Mul(product, dy, x.Value.Data)
			tensor.SumRows(s.sum(), product, d)
		}
	})
	return y
}

// ScaleRows returns y_n = w_n·x_n, with one number per row: w [N], x [N,d] → [N,d].
func ScaleRows(w, x *Var) *Var {
	rows, d := w.Value.Len(), x.Dim(-1)
	if x.Value.Len() != rows*d {
		panic(shapeError("ScaleRows", w.Value, x.Value))
	}
	t := x.tape
	y := t.result([]*Var{w, x}, x.Shape()...)
	y.explain(func(i int) Origin { return product(Number{w, i / d}, Number{x, i}) })
	for i, s := range w.Value.Data {
		tensor.Scale(y.Value.Data[i*d:][:d], s, x.Value.Data[i*d:][:d])
	}
	t.record(y, func(dy []Elem) {
		if x.active {
			dx := x.sum()
			for i, s := range w.Value.Data {
				tensor.Axpy(dx[i*d:][:d], s, dy[i*d:][:d])
			}
		}
		if w.active {
			dw := w.sum()
			for i := range dw {
				dw[i] += tensor.Dot(dy[i*d:][:d], x.Value.Data[i*d:][:d])
			}
		}
	})
	return y
}

// DivideHeads returns y_a = x_a/(z_a + eps) for every head a: x [N,H·w], z [N,H] → [N,H·w].
func DivideHeads(x, z *Var, eps Elem) *Var {
	if z.Dim(-1) == 0 || x.Dim(-1)%z.Dim(-1) != 0 || x.Value.Len()/x.Dim(-1) != z.Value.Len()/z.Dim(-1) {
		panic(shapeError("DivideHeads", x.Value, z.Value))
	}
	t, w := x.tape, x.Dim(-1)/z.Dim(-1)
	y := t.result([]*Var{x, z}, x.Shape()...)
	y.explain(func(i int) Origin {
		return Origin{Operation: Quotient, X: []Number{{x, i}}, Y: []Number{{z, i / w}}, Eps: float64(eps)}
	})
	for i, v := range z.Value.Data {
		tensor.Scale(y.Value.Data[i*w:][:w], 1/(v+eps), x.Value.Data[i*w:][:w])
	}
	t.record(y, func(dy []Elem) {
		dx, dz := x.orScratch(), z.orScratch()
		for i, v := range z.Value.Data {
			r, g := 1/(v+eps), dy[i*w:][:w]
			tensor.Axpy(dx[i*w:][:w], r, g)
			dz[i] -= r * tensor.Dot(g, y.Value.Data[i*w:][:w])
		}
	})
	return y
}

// RowProducts multiplies the elements of a row of x by those of the same row of z, and returns the
// first n products: x [N,X], z [N,Z] → [N,n] with n ≤ X·Z and y_j = x_{⌊j/Z⌋}·z_{j mod Z}. It is
// the row-wise Kronecker product without the columns from n on.
func RowProducts(x, z *Var, n int) *Var {
	cx, cz, rank := x.Dim(-1), z.Dim(-1), x.Value.Rank()
	if z.Value.Rank() != rank || !slices.Equal(x.Shape()[:rank-1], z.Shape()[:rank-1]) || n < 0 || n > cx*cz {
		panic(shapeError("RowProducts", x.Value, z.Value))
	}
	t, rows := x.tape, x.Value.Len()/max(cx, 1)
	y := t.result([]*Var{x, z}, last(x.Shape(), n)...)
	y.explain(func(i int) Origin { return product(Number{x, i/n*cx + i%n/cz}, Number{z, i/n*cz + i%n%cz}) })
	// each visits the columns in runs that share one element of x's row r.
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
