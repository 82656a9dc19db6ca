package ad

import (
	"slices"

	"attnatlas/engine/tensor"
)

// Add is x + y, element by element, for equal shapes.
func Add(x, y *Var) *Var {
	if !x.Value.SameShape(y.Value) {
		panic(shapeError("Add", x.Value, y.Value))
	}
	t := x.tape
	z := t.result([]*Var{x, y}, x.Shape()...)
	tensor.Add(z.Value.Data, x.Value.Data, y.Value.Data)
	t.record(z, func(dz []Elem) {
		for _, v := range [...]*Var{x, y} {
			if v.active {
				v.add(dz)
			}
		}
	})
	return z
}

// add adds g to the adjoint of v.
func (v *Var) add(g []Elem) {
	if a, u := v.grow(); u == tensor.Overwrite {
		copy(a.Data, g)
	} else {
		tensor.Add(a.Data, a.Data, g)
	}
}

// Scale is c·x.
func Scale(x *Var, c Elem) *Var {
	t := x.tape
	y := t.result([]*Var{x}, x.Shape()...)
	tensor.Scale(y.Value.Data, c, x.Value.Data)
	t.record(y, func(dy []Elem) { tensor.Axpy(x.sum(), c, dy) })
	return y
}

// AddScalars is x + c for an array c of the same shape, or of the shape of x
// without some leading axes, for which no gradient is wanted: additive masks.
func AddScalars(x *Var, c *tensor.T) *Var {
	if c.Len() == 0 || x.Value.Len()%c.Len() != 0 {
		panic(shapeError("AddScalars", x.Value, c))
	}
	t := x.tape
	y := t.result([]*Var{x}, x.Shape()...)
	tensor.AddRow(y.Value.Data, x.Value.Data, c.Data)
	t.record(y, func(dy []Elem) { x.add(dy) })
	return y
}

// MulRow is y_n = r ∘ x_n for one row r [1,d] and x [N,d]: the row multiplies
// every position of its sequence, element by element.
func MulRow(r, x *Var) *Var {
	b, n, d := x.Dim(0), x.Dim(1), x.Dim(2)
	if !slices.Equal(r.Shape(), []int{b, 1, d}) {
		panic(shapeError("MulRow", r.Value, x.Value))
	}
	t := x.tape
	y := t.result([]*Var{r, x}, x.Shape()...)
	for i := range b * n {
		tensor.Mul(y.Value.Data[i*d:][:d], x.Value.Data[i*d:][:d], r.Value.Data[i/n*d:][:d])
	}
	t.record(y, func(dy []Elem) {
		part := t.numbers.take(d)
		add := func(to, a, b []Elem) {
			tensor.Mul(part, a, b)
			tensor.Add(to, to, part)
		}
		if r.active {
			dr := r.sum()
			for i := range b * n {
				add(dr[i/n*d:][:d], dy[i*d:][:d], x.Value.Data[i*d:][:d])
			}
		}
		if x.active {
			dx := x.sum()
			for i := range b * n {
				add(dx[i*d:][:d], dy[i*d:][:d], r.Value.Data[i/n*d:][:d])
			}
		}
	})
	return y
}

// ReLU is max(x, 0); its derivative at 0 is 0.
func ReLU(x *Var) *Var {
	t := x.tape
	y := t.result([]*Var{x}, x.Shape()...)
	for i, v := range x.Value.Data {
		y.Value.Data[i] = max(v, 0)
	}
	t.record(y, func(dy []Elem) {
		dx := x.sum()
		for i, v := range x.Value.Data {
			if v > 0 {
				dx[i] += dy[i]
			}
		}
	})
	return y
}

// GELU is x·Φ(x), the Gaussian error linear unit in its exact, erf form.
func GELU(x *Var) *Var {
	t := x.tape
	y := t.result([]*Var{x}, x.Shape()...)
	tensor.GELU(y.Value.Data, x.Value.Data)
	t.record(y, func(dy []Elem) {
		if dx, u := x.grow(); u == tensor.Overwrite {
			tensor.GELUBackward(dx.Data, x.Value.Data, dy)
		} else {
			more := t.array(x.Shape()...)
			tensor.GELUBackward(more.Data, x.Value.Data, dy)
			tensor.Add(dx.Data, dx.Data, more.Data)
		}
	})
	return y
}

// Tanh is the hyperbolic tangent.
func Tanh(x *Var) *Var {
	t := x.tape
	y := t.result([]*Var{x}, x.Shape()...)
	for i, v := range x.Value.Data {
		y.Value.Data[i] = Elem(tanh(float64(v)))
	}
	t.record(y, func(dy []Elem) {
		dx := x.sum()
		for i, v := range y.Value.Data {
			dx[i] += dy[i] * (1 - v*v)
		}
	})
	return y
}
