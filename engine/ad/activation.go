package ad

import (
	"math"

	"attnatlas/engine/tensor"
)

// ReLU returns max(x, 0). Its derivative at 0 is 0.
func ReLU(x *Var) *Var { return unary("relu", x, tensor.ReLU, tensor.ReLUBackward) }

// GELU returns x·Φ(x), the Gaussian error linear unit in its exact form with erf.
func GELU(x *Var) *Var { return unary("gelu", x, tensor.GELU, tensor.GELUBackward) }

// GELUTanh returns ½x(1 + tanh(√(2/π)(x + 0.044715x³))), the approximation of GELU that Hugging
// Face calls gelu_new (Hendrycks and Gimpel 2016, sec. 2).
func GELUTanh(x *Var) *Var { return unary("gelu-tanh", x, tensor.GELUTanh, tensor.GELUTanhBackward) }

// unary applies a function to every element; backward writes the gradient of x.
func unary(name string, x *Var, forward func(dst, x []Elem), backward func(dx, x, dy []Elem)) *Var {
	if x.last {
		x.last = false
		forward(x.Value.Data, x.Value.Data)
		return x
	}
	t := x.tape
	y := t.result([]*Var{x}, x.Shape()...)
	y.explain(func(i int) Origin { return applied(name, x, i) })
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

// QuickGELU returns x·σ(1.702x), the logistic approximation of GELU.
func QuickGELU(x *Var) *Var {
	return unary("quick-gelu", x, tensor.QuickGELU, func(dx, x, dy []Elem) {
		tensor.QuickGELUBackward(dx, make([]Elem, len(x)), x, dy)
	})
}

// Tanh returns the hyperbolic tangent.
func Tanh(x *Var) *Var {
	t := x.tape
	y := t.result([]*Var{x}, x.Shape()...)
	y.explain(func(i int) Origin { return applied("tanh", x, i) })
	for i, v := range x.Value.Data {
		y.Value.Data[i] = Elem(math.Tanh(float64(v)))
	}
	t.record(y, func(dy []Elem) {
		dx := x.sum()
		for i, v := range y.Value.Data {
			dx[i] += dy[i] * (1 - v*v)
		}
	})
	return y
}

// QuickTanh returns the hyperbolic tangent as 2σ(2x) − 1, with an absolute error of at most 2·10⁻⁷.
func QuickTanh(x *Var) *Var {
	t := x.tape
	y := t.result([]*Var{x}, x.Shape()...)
	y.explain(func(i int) Origin { return applied("tanh", x, i) })
	tensor.Scale(y.Value.Data, 2, x.Value.Data)
	tensor.Sigmoid(y.Value.Data, y.Value.Data)
	for i, v := range y.Value.Data {
		y.Value.Data[i] = 2*v - 1
	}
	t.record(y, func(dy []Elem) {
		part := t.numbers.take(len(dy))
		tensor.Mul(part, y.Value.Data, y.Value.Data)
		tensor.Mul(part, part, dy)
		minus(part, dy, part)
		x.add(part) // dy − dy∘y²
	})
	return y
}

// Sigmoid returns the logistic function 1/(1 + e^−x).
func Sigmoid(x *Var) *Var {
	t := x.tape
	y := t.result([]*Var{x}, x.Shape()...)
	y.explain(func(i int) Origin { return applied("sigmoid", x, i) })
	tensor.Sigmoid(y.Value.Data, x.Value.Data)
	t.record(y, func(dy []Elem) {
		part := t.numbers.take(len(dy))
		tensor.Mul(part, y.Value.Data, y.Value.Data)
		minus(part, y.Value.Data, part)
		tensor.Mul(part, part, dy)
		x.add(part) // dy∘(y − y²)
	})
	return y
}

// ELU1 returns elu(x) + 1, which is x + 1 for x > 0 and eˣ otherwise. It is positive.
func ELU1(x *Var) *Var {
	t := x.tape
	y := t.result([]*Var{x}, x.Shape()...)
	y.explain(func(i int) Origin { return applied("elu1", x, i) })
	for i, v := range x.Value.Data {
		if v > 0 {
			y.Value.Data[i] = v + 1
		} else {
			y.Value.Data[i] = Elem(math.Exp(float64(v)))
		}
	}
	t.record(y, func(dy []Elem) {
		dx := x.sum()
		for i, v := range x.Value.Data {
			if v > 0 {
				dx[i] += dy[i]
			} else {
				dx[i] += dy[i] * y.Value.Data[i]
			}
		}
	})
	return y
}
