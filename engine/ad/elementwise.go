package ad

import (
	"slices"

	"attnatlas/engine/tensor"
)

// Add returns x + y, element by element. The shapes must be equal.
func Add(x, y *Var) *Var {
	if !x.Value.SameShape(y.Value) {
		panic(shapeError("Add", x.Value, y.Value))
	}
	t := x.tape
	z := t.result([]*Var{x, y}, x.Shape()...)
	z.explain(func(i int) Origin { return sums(Number{x, i}, Number{y, i}) })
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

// Mul returns x ∘ y, element by element. The shapes must be equal.
func Mul(x, y *Var) *Var {
	if !x.Value.SameShape(y.Value) {
		panic(shapeError("Mul", x.Value, y.Value))
	}
	t := x.tape
	z := t.result([]*Var{x, y}, x.Shape()...)
	z.explain(func(i int) Origin { return product(Number{x, i}, Number{y, i}) })
	tensor.Mul(z.Value.Data, x.Value.Data, y.Value.Data)
	t.record(z, func(dz []Elem) {
		part := t.numbers.take(len(dz))
		if x.active {
			tensor.Mul(part, dz, y.Value.Data)
			x.add(part)
		}
		if y.active {
			tensor.Mul(part, dz, x.Value.Data)
			y.add(part)
		}
	})
	return z
}

// minus computes dst = a − b; dst can be b.
func minus(dst, a, b []Elem) {
	tensor.Scale(dst, -1, b)
	tensor.Add(dst, dst, a)
}

// Scale returns c·x.
func Scale(x *Var, c Elem) *Var {
	t := x.tape
	y := t.result([]*Var{x}, x.Shape()...)
	y.explain(func(i int) Origin { return dot([]Number{{x, i}}, nil, c) })
	tensor.Scale(y.Value.Data, c, x.Value.Data)
	t.record(y, func(dy []Elem) { tensor.Axpy(x.sum(), c, dy) })
	return y
}

// Combine returns y = Σ_c w_c·x_c for weights w [C] and C arrays. An array can lack leading axes of
// the others, for example if all sequences share it. It is then repeated along them.
func Combine(w *Var, xs []*Var) *Var {
	if w.Value.Len() != len(xs) || len(xs) == 0 {
		panic(shapeError("Combine", w.Value))
	}
	shape := xs[0].Shape()
	for _, x := range xs {
		if len(x.Shape()) > len(shape) {
			shape = x.Shape()
		}
	}
	for _, x := range xs {
		if s := x.Shape(); !slices.Equal(s, shape[len(shape)-len(s):]) {
			panic(shapeError("Combine", xs[0].Value, x.Value))
		}
	}
	t := w.tape
	y := t.result(append([]*Var{w}, xs...), shape...)
	y.explain(func(i int) Origin {
		var o Origin
		for c, x := range xs {
			o.X, o.Y = append(o.X, Number{w, c}), append(o.Y, Number{x, i % x.Value.Len()})
		}
		return dot(o.X, o.Y, 1)
	})
	clear(y.Value.Data)
	for c, x := range xs {
		copies(y.Value.Data, x, func(part []Elem) { tensor.Axpy(part, w.Value.Data[c], x.Value.Data) })
	}
	t.record(y, func(dy []Elem) {
		for c, x := range xs {
			if x.active {
				dx := x.sum()
				copies(dy, x, func(part []Elem) { tensor.Axpy(dx, w.Value.Data[c], part) })
			}
			if w.active {
				dw := w.sum()
				copies(dy, x, func(part []Elem) { dw[c] += tensor.Dot(part, x.Value.Data) })
			}
		}
	})
	return y
}

// copies visits consecutive parts of data that have the size of x.
func copies(data []Elem, x *Var, visit func(part []Elem)) {
	size := x.Value.Len()
	for at := 0; at < len(data); at += size {
		visit(data[at : at+size])
	}
}
