package ad

import (
	"attnatlas/engine/tensor"
)

// Dot returns the scalar Σ x∘w for a fixed array w, the loss in gradient checks.
func Dot(x *Var, w *tensor.T) *Var {
	if !x.Value.SameShape(w) {
		panic(shapeError("Dot", x.Value, w))
	}
	t := x.tape
	y := t.result([]*Var{x})
	if t.explains {
		weights, n := t.Const(w), len(w.Data)
		y.explain(func(int) Origin { return Products(Several(x, 0, 1, n), Several(weights, 0, 1, n)) })
	}
	y.Value.Data[0] = tensor.Dot(x.Value.Data, w.Data)
	t.record(y, func(dy []Elem) { tensor.Axpy(x.sum(), dy[0], w.Data) })
	return y
}

// MeanPool returns the mean of the positions in each window: x [B,N,d] → [B,len(windows),d]. It
// ignores positions for which keep [B·N] is false; nil keeps all. A window without positions gives
// 0.
func MeanPool(x *Var, windows []Span, keep []bool) *Var {
	t, b, n, d := x.tape, x.Dim(0), x.Dim(1), x.Dim(2)
	y := t.result([]*Var{x}, b, len(windows), d)
	y.explain(func(i int) Origin {
		b, s, f, o := i/(len(windows)*d), i/d%len(windows), i%d, []Number(nil)
		for j := windows[s].From; j < windows[s].To; j++ {
			if keep == nil || keep[b*n+j] {
				o = append(o, Number{x, (b*n+j)*d + f})
			}
		}
		return dot(o, nil, 1/Elem(max(len(o), 1)))
	})
	clear(y.Value.Data)
	// members calls do for the positions of every window, with their rows in x and y.
	members := func(do func(x, y int, share Elem)) {
		for i := range b {
			for s, w := range windows {
				kept := 0
				for j := w.From; j < w.To; j++ {
					if keep == nil || keep[i*n+j] {
						kept++
					}
				}
				for j := w.From; j < w.To; j++ {
					if keep == nil || keep[i*n+j] {
						do(i*n+j, i*len(windows)+s, 1/Elem(kept))
					}
				}
			}
		}
	}
	members(func(from, to int, share Elem) {
		tensor.Axpy(y.Value.Data[to*d:][:d], share, x.Value.Data[from*d:][:d])
	})
	t.record(y, func(dy []Elem) {
		dx := x.sum()
		members(func(to, from int, share Elem) { tensor.Axpy(dx[to*d:][:d], share, dy[from*d:][:d]) })
	})
	return y
}
