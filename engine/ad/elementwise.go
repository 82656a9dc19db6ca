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

// addMulRows adds r∘dy to the adjoint of v, a row [d] of r for every n rows of
// dy.
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

// ReLU is max(x, 0); its derivative at 0 is 0.
func ReLU(x *Var) *Var { return unary(x, tensor.ReLU, tensor.ReLUBackward) }

// GELU is x·Φ(x), the Gaussian error linear unit in its exact, erf form.
func GELU(x *Var) *Var { return unary(x, tensor.GELU, tensor.GELUBackward) }

// GELUTanh is ½x(1 + tanh(√(2/π)(x + 0.044715x³))), the approximation of GELU
// that Hugging Face calls gelu_new (Hendrycks and Gimpel 2016, sec. 2).
func GELUTanh(x *Var) *Var { return unary(x, tensor.GELUTanh, tensor.GELUTanhBackward) }

// unary applies a function to every element; backward writes the gradient of x.
func unary(x *Var, forward func(dst, x []Elem), backward func(dx, x, dy []Elem)) *Var {
	t := x.tape
	y := t.result([]*Var{x}, x.Shape()...)
	forward(y.Value.Data, x.Value.Data)
	t.record(y, func(dy []Elem) {
		dx, u := x.grow()
		if u == tensor.Overwrite {
			backward(dx.Data, x.Value.Data, dy)
			return
		}
		more := t.array(x.Shape()...)
		backward(more.Data, x.Value.Data, dy)
		tensor.Add(dx.Data, dx.Data, more.Data)
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
