package ad

import (
	"fmt"

	"attnatlas/engine/tensor"
)

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

// Replace puts values[code-1] wherever the code of a cell is not 0. Nothing flows
// back through a replaced cell. Codes has one number for each cell of x.
func Replace(x *Var, codes []uint8, values ...Elem) *Var {
	if len(codes) != x.Value.Len() {
		panic(tensor.ShapeError{Op: "ad.Replace", Want: fmt.Sprintf("%d codes", x.Value.Len()), Got: fmt.Sprint(len(codes))})
	}
	t := x.tape
	y := t.result([]*Var{x}, x.Shape()...)
	for i, v := range x.Value.Data {
		if code := codes[i]; code != 0 {
			v = values[code-1]
		}
		y.Value.Data[i] = v
	}
	t.record(y, func(dy []Elem) {
		dx := x.sum()
		for i, g := range dy {
			if codes[i] == 0 {
				dx[i] += g
			}
		}
	})
	return y
}
