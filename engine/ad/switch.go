package ad

import (
	"fmt"
	"math"

	"attnatlas/engine/tensor"
)

// Sigmoid is the logistic function 1/(1 + e^−x).
func Sigmoid(x *Var) *Var {
	t := x.tape
	y := t.result([]*Var{x}, x.Shape()...)
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

// quick is the factor in Hendrycks and Gimpel's (2016) logistic form of the GELU.
const quick = 1.702

// QuickGELU is x·σ(1.702x), the Gaussian error linear unit in its logistic
// approximation.
func QuickGELU(x *Var) *Var {
	t := x.tape
	y, s := t.result([]*Var{x}, x.Shape()...), t.numbers.take(x.Value.Len())
	tensor.Scale(s, quick, x.Value.Data)
	tensor.Sigmoid(s, s)
	tensor.Mul(y.Value.Data, s, x.Value.Data)
	t.record(y, func(dy []Elem) {
		dx := x.sum()
		for i, v := range x.Value.Data {
			dx[i] += dy[i] * (s[i] + quick*v*s[i]*(1-s[i]))
		}
	})
	return y
}

// QuickTanh is the hyperbolic tangent 2σ(2x) − 1, to an absolute error of 2·10⁻⁷.
func QuickTanh(x *Var) *Var {
	t := x.tape
	y := t.result([]*Var{x}, x.Shape()...)
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

// Mul is x ∘ y, element by element, for equal shapes.
func Mul(x, y *Var) *Var {
	if !x.Value.SameShape(y.Value) {
		panic(shapeError("Mul", x.Value, y.Value))
	}
	t := x.tape
	z := t.result([]*Var{x, y}, x.Shape()...)
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

// Blend is g∘x + (1 − g)∘y, element by element, for equal shapes: a gate between
// two values.
func Blend(g, x, y *Var) *Var {
	if !g.Value.SameShape(x.Value) || !g.Value.SameShape(y.Value) {
		panic(shapeError("Blend", g.Value, x.Value, y.Value))
	}
	t := g.tape
	z := t.result([]*Var{g, x, y}, g.Shape()...)
	for i, w := range g.Value.Data {
		z.Value.Data[i] = w*x.Value.Data[i] + (1-w)*y.Value.Data[i]
	}
	t.record(z, func(dz []Elem) {
		part := t.numbers.take(len(dz))
		if g.active { // dz∘(x − y)
			minus(part, x.Value.Data, y.Value.Data)
			tensor.Mul(part, part, dz)
			g.add(part)
		}
		tensor.Mul(part, dz, g.Value.Data)
		if x.active {
			x.add(part)
		}
		if y.active {
			minus(part, dz, part)
			y.add(part)
		}
	})
	return z
}

// minus is dst = a − b; dst may be b.
func minus(dst, a, b []Elem) {
	tensor.Scale(dst, -1, b)
	tensor.Add(dst, dst, a)
}

// ScaleColumns is x_n ∘ s at every position: x [N,d], s [d].
func ScaleColumns(x, s *Var) *Var {
	d := x.Dim(-1)
	if s.Value.Len() != d {
		panic(shapeError("ScaleColumns", x.Value, s.Value))
	}
	t, rows := x.tape, x.Value.Len()/max(d, 1)
	y := t.result([]*Var{x, s}, x.Shape()...)
	for i := range rows {
		tensor.Mul(y.Value.Data[i*d:][:d], x.Value.Data[i*d:][:d], s.Value.Data)
	}
	t.record(y, func(dy []Elem) {
		part := t.numbers.take(d)
		if x.active {
			dx := x.sum()
			for i := range rows {
				tensor.Mul(part, dy[i*d:][:d], s.Value.Data)
				tensor.Add(dx[i*d:][:d], dx[i*d:][:d], part)
			}
		}
		if s.active {
			ds := s.sum()
			for i := range rows {
				tensor.Mul(part, dy[i*d:][:d], x.Value.Data[i*d:][:d])
				tensor.Add(ds, ds, part)
			}
		}
	})
	return y
}

// Concat puts y behind x along the last axis: [N,d], [N,e] → [N,d+e].
func Concat(x, y *Var) *Var {
	d, e := x.Dim(-1), y.Dim(-1)
	rows := x.Value.Len() / max(d, 1)
	if y.Value.Len() != rows*e {
		panic(shapeError("Concat", x.Value, y.Value))
	}
	t := x.tape
	z := t.result([]*Var{x, y}, last(x.Shape(), d+e)...)
	wide := tensor.Matrix(z.Value.Data, rows, d+e)
	for i := range rows {
		copy(row(wide, i), x.Value.Data[i*d:][:d])
		copy(row(wide, i)[d:], y.Value.Data[i*e:][:e])
	}
	t.record(z, func(dz []Elem) {
		grad := tensor.Matrix(dz, rows, d+e)
		if x.active {
			dx := x.sum()
			for i := range rows {
				tensor.Add(dx[i*d:][:d], dx[i*d:][:d], row(grad, i)[:d])
			}
		}
		if y.active {
			dy := y.sum()
			for i := range rows {
				tensor.Add(dy[i*e:][:e], dy[i*e:][:e], row(grad, i)[d:])
			}
		}
	})
	return z
}

// SwapPairs exchanges the first features of the positions 2t and 2t+1 and leaves
// the other features where they are: x [N,d] → [N,d] for even N.
func SwapPairs(x *Var, features int) *Var {
	n, d := x.Dim(-2), x.Dim(-1)
	if n%2 != 0 || features < 0 || features > d {
		panic(tensor.ShapeError{Op: "ad.SwapPairs", Want: fmt.Sprintf("[N,d], N even, d ≥ %d", features), Got: fmt.Sprint(x.Shape())})
	}
	t, rows := x.tape, x.Value.Len()/max(d, 1)
	y := t.result([]*Var{x}, x.Shape()...)
	for i := range rows {
		to := y.Value.Data[i*d:][:d]
		copy(to, x.Value.Data[(i^1)*d:][:features])
		copy(to[features:], x.Value.Data[i*d+features:])
	}
	t.record(y, func(dy []Elem) {
		dx := x.sum()
		for i := range rows { // the exchange undoes itself
			to := dx[i*d:][:d]
			tensor.Add(to[:features], to[:features], dy[(i^1)*d:][:features])
			tensor.Add(to[features:], to[features:], dy[i*d:][features:d])
		}
	})
	return y
}

// NormColumns normalises every feature over the positions of its sequence: with
// u = c·(x − mean_n x) + offset it is u/√(mean_n u² + eps). x [N,d], offset [d].
func NormColumns(x, offset *Var, c Elem, eps float64) *Var {
	n, d := x.Dim(-2), x.Dim(-1)
	if offset.Value.Len() != d {
		panic(shapeError("NormColumns", x.Value, offset.Value))
	}
	t, batch := x.tape, x.Value.Len()/max(n*d, 1)
	y := t.result([]*Var{x, offset}, x.Shape()...)
	inverse, part := t.numbers.take(batch*d), t.numbers.take(d) // inverse: 1/√(…), [B,d]
	of := func(data []Elem, b, i int) []Elem { return data[(b*n+i)*d:][:d] }
	for b := range batch {
		mean := part
		clear(mean)
		tensor.SumRows(mean, x.Value.Data[b*n*d:][:n*d], d)
		for f := range mean { // what is added to c·x
			mean[f] = offset.Value.Data[f] - c*mean[f]/Elem(n)
		}
		squares := make([]float64, d)
		for i := range n {
			u := of(y.Value.Data, b, i)
			copy(u, mean)
			tensor.Axpy(u, c, of(x.Value.Data, b, i))
			for f, v := range u {
				squares[f] += float64(v) * float64(v)
			}
		}
		r := inverse[b*d:][:d]
		for f := range r {
			r[f] = Elem(1 / math.Sqrt(squares[f]/float64(n)+eps))
		}
		for i := range n {
			u := of(y.Value.Data, b, i)
			tensor.Mul(u, u, r)
		}
	}
	t.record(y, func(dy []Elem) {
		du, along, total := t.numbers.take(n*d), t.numbers.take(d), t.numbers.take(d)
		for b := range batch {
			clear(along)
			for i := range n {
				tensor.Mul(part, of(dy, b, i), of(y.Value.Data, b, i))
				tensor.Add(along, along, part)
			}
			tensor.Scale(along, -1/Elem(n), along)
			clear(total)
			for i := range n { // du = r∘(dy − y∘mean(dy∘y))
				g := of(du, 0, i)
				tensor.Mul(g, along, of(y.Value.Data, b, i))
				tensor.Add(g, g, of(dy, b, i))
				tensor.Mul(g, g, inverse[b*d:][:d])
				tensor.Add(total, total, g)
			}
			if offset.active {
				tensor.Axpy(offset.sum(), 1, total)
			}
			if x.active {
				dx := x.sum()
				for i := range n { // dx = c·(du − mean du)
					tensor.Axpy(of(dx, b, i), c, of(du, 0, i))
					tensor.Axpy(of(dx, b, i), -c/Elem(n), total)
				}
			}
		}
	})
	return y
}
