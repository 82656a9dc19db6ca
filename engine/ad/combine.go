package ad

import (
	"math"
	"slices"

	"attnatlas/engine/tensor"
)

// Combine is y = Σ_c w_c·x_c for numbers w [C] and C arrays. An array that
// lacks leading axes of the others, as one that all sequences share does,
// stands for as many copies of it.
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

// copies visits the parts of data that are as large as x.
func copies(data []Elem, x *Var, visit func(part []Elem)) {
	size := x.Value.Len()
	for at := 0; at < len(data); at += size {
		visit(data[at : at+size])
	}
}

// Shares is (σ(a), 1−σ(a)) for one number a [1], with the logistic function
// σ(a) = 1/(1+e⁻ᵃ): two weights whose sum is 1.
func Shares(a *Var) *Var {
	if a.Value.Len() != 1 {
		panic(shapeError("Shares", a.Value))
	}
	t := a.tape
	y := t.result([]*Var{a}, 2)
	s := Elem(1 / (1 + math.Exp(-float64(a.Value.Data[0]))))
	y.Value.Data[0], y.Value.Data[1] = s, 1-s
	t.record(y, func(dy []Elem) { a.sum()[0] += s * (1 - s) * (dy[0] - dy[1]) })
	return y
}
