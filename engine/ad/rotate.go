package ad

import (
	"attnatlas/engine/tensor"
)

// Rotate turns pairs of features of every head by angles of their position, as rotary position embeddings do
// (Su et al. 2021, arXiv:2104.09864, eq. 34): x [N,d] of so many heads, cos and sin [N,r/2]. Of the features of
// a head the first r turn, the others stay:
//
//	y_i = x_i·cos_i − x_{i+r/2}·sin_i    y_{i+r/2} = x_{i+r/2}·cos_i + x_i·sin_i    i < r/2
//
// Differences: the paper pairs 2i with 2i + 1; the transformers library pairs i with i + r/2.
func Rotate(x *Var, count int, cos, sin *tensor.T) *Var {
	h, half := headsOf(x, count), cos.Dim(-1)
	if cos.Len() < h.n*half || !cos.SameShape(sin) || 2*half > h.width {
		panic(shapeError("Rotate", x.Value, cos, sin))
	}
	t := x.tape
	y := t.result([]*Var{x}, x.Shape()...)
	y.explain(func(i int) Origin {
		d := x.Dim(-1)
		f, n := i%d%h.width, i/d%h.n
		if f >= 2*half {
			return copied(x, i)
		}
		at := n*half + f%half
		c, s, other := cos.Data[at], -sin.Data[at], i+half
		if f >= half {
			s, other = -s, i-half
		}
		by := t.Const(tensor.From([]Elem{c, s}, 2))
		return dot([]Number{{x, i}, {x, other}}, Several(by, 0, 1, 2), 1)
	})
	turn(y.Value.Data, x.Value.Data, h, cos, sin, 1)
	t.record(y, func(dy []Elem) {
		back := t.array(x.Shape()...)
		turn(back.Data, dy, h, cos, sin, -1)
		x.add(back.Data)
	})
	return y
}

// turn writes the rows of x, turned one way or back, to y.
func turn(y, x []Elem, h heads, cos, sin *tensor.T, way Elem) {
	half := cos.Dim(-1)
	each(h.batch, h.count, func(b, a int) {
		from, to := h.view(x, b, a), h.view(y, b, a)
		for i := range h.n {
			u, v, c, s := row(from, i), row(to, i), cos.Data[i*half:][:half], sin.Data[i*half:][:half]
			for j := range half {
				v[j], v[half+j] = u[j]*c[j]-way*u[half+j]*s[j], u[half+j]*c[j]+way*u[j]*s[j]
			}
			copy(v[2*half:], u[2*half:])
		}
	})
}
