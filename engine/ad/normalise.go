package ad

import (
	"math"

	"attnatlas/engine/tensor"
)

func tanh(x float64) float64 { return math.Tanh(x) }

// Softmax is y_j = exp(x_j) / Σ_k exp(x_k) along the last axis.
func Softmax(x *Var) *Var {
	t, cols := x.tape, x.Dim(-1)
	y := t.result([]*Var{x}, x.Shape()...)
	tensor.SoftmaxRows(y.Value.Data, x.Value.Data, cols)
	t.record(y, func(dy []Elem) {
		dx, u := x.grow()
		if u == tensor.Overwrite {
			tensor.SoftmaxRowsBackward(dx.Data, y.Value.Data, dy, cols)
			return
		}
		more := t.array(x.Shape()...)
		tensor.SoftmaxRowsBackward(more.Data, y.Value.Data, dy, cols)
		tensor.Add(dx.Data, dx.Data, more.Data)
	})
	return y
}

// SoftmaxOver is Softmax for scores that are not used afterwards: where nothing is
// recorded the result takes their memory.
func SoftmaxOver(x *Var) *Var {
	if x.tape.records() || !x.owned {
		return Softmax(x)
	}
	tensor.SoftmaxRows(x.Value.Data, x.Value.Data, x.Dim(-1))
	return x
}

// LayerNorm is (x − mean)/√(variance + eps)·γ + β along the last axis, with the
// biased variance (Ba et al. 2016, eq. 4).
func LayerNorm(x, gamma, beta *Var, eps Elem) *Var {
	t, cols := x.tape, x.Dim(-1)
	if gamma.Value.Len() != cols || beta.Value.Len() != cols {
		panic(shapeError("LayerNorm", x.Value, gamma.Value, beta.Value))
	}
	rows := x.Value.Len() / max(cols, 1)
	y := t.result([]*Var{x, gamma, beta}, x.Shape()...)
	mean, rstd := t.numbers.take(rows), t.numbers.take(rows)
	tensor.LayerNormRows(y.Value.Data, x.Value.Data, gamma.Value.Data, beta.Value.Data, mean, rstd, eps)
	t.record(y, func(dy []Elem) {
		dx := t.array(x.Shape()...)
		dgamma, dbeta := gamma.orScratch(), beta.orScratch()
		tensor.LayerNormRowsBackward(dx.Data, dgamma, dbeta, x.Value.Data, gamma.Value.Data, mean, rstd, dy)
		if x.active {
			x.add(dx.Data)
		}
	})
	return y
}

// orScratch is the adjoint to add to, or memory that nobody reads.
func (v *Var) orScratch() []Elem {
	if v.active {
		return v.sum()
	}
	return v.tape.zeros(v.Shape()...).Data
}

// Fill replaces x by value wherever visible is false. Visible has one plane
// [N,M] for all sequences, or one per sequence of the batch: x [B,H,N,M] stays as
// it is in shape; x [H,N,M], which all sequences share, becomes [B,H,N,M] when
// the planes differ. Nothing flows back through a replaced cell.
func Fill(x *Var, visible []bool, batch int, value Elem) *Var {
	return fill(x, visible, visible, batch, value)
}

// Sink is Fill as the addition of a penalty that leaves nothing of x: the same
// values, but the gradient flows back through the sunken cells as through a sum.
func Sink(x *Var, visible []bool, batch int, value Elem) *Var {
	return fill(x, visible, nil, batch, value)
}

// fill replaces x by value wherever visible is false. Gradients flow back where
// open is true; nil means everywhere.
func fill(x *Var, visible, open []bool, batch int, value Elem) *Var {
	in := planesOf(x.Value)
	plane := in.rows * in.cols
	if len(visible) != batch*plane || in.batch != 1 && batch != 1 && in.batch != batch {
		panic(tensor.ShapeError{Op: "ad.Fill", Want: "one plane, or one per sequence", Got: shapeError("", x.Value).Got})
	}
	t := x.tape
	shape := x.Shape()
	if batch > in.batch {
		shape = []int{batch, in.heads, in.rows, in.cols}
	}
	y := t.result([]*Var{x}, shape...)
	size := in.heads * plane
	// source and visibility of element i of y
	from := func(i int) int { return i % (in.batch * size) }
	at := func(i int) int { return i/size%batch*plane + i%plane }
	for i := range y.Value.Data {
		if visible[at(i)] {
			y.Value.Data[i] = x.Value.Data[from(i)]
		} else {
			y.Value.Data[i] = value
		}
	}
	t.record(y, func(dy []Elem) {
		dx := x.sum()
		for i, g := range dy {
			if open == nil || open[at(i)] {
				dx[from(i)] += g
			}
		}
	})
	return y
}
