package ad

import (
	"math"

	"attnatlas/engine/tensor"
)

// Shared is y_n = e_n/(Σ e + eps) along the last axis with e_n = exp(x_n), or 0 where keep
// is false: Softmax whose sum falls short of 1, and is 0 where nothing is kept. Keep has
// one entry for each element of x; nil keeps all.
func Shared(x *Var, keep []bool, eps float64) *Var {
	if keep != nil && len(keep) != x.Value.Len() {
		panic(tensor.ShapeError{Op: "ad.Shared", Want: "one entry of keep for each element", Got: shapeError("", x.Value).Got})
	}
	t, cols := x.tape, x.Dim(-1)
	y := t.result([]*Var{x}, x.Shape()...)
	for from := 0; from < x.Value.Len(); from += cols {
		row, out := x.Value.Data[from:][:cols], y.Value.Data[from:][:cols]
		kept := func(n int) bool { return keep == nil || keep[from+n] }
		top, sum := math.Inf(-1), 0.0
		for n, v := range row {
			if kept(n) {
				top = max(top, float64(v))
			}
		}
		clear(out)
		for n, v := range row { // e is computed as exp(x − top), and eps with it
			if kept(n) {
				e := math.Exp(float64(v) - top)
				out[n], sum = Elem(e), sum+e
			}
		}
		if sum > 0 {
			tensor.Scale(out, Elem(1/(sum+eps*math.Exp(-top))), out)
		}
	}
	t.record(y, func(dy []Elem) { // as of Softmax: ∂y_n/∂x_m = y_n(δ_nm − y_m)
		dx := x.sum()
		for from := 0; from < len(dy); from += cols {
			out := y.Value.Data[from:][:cols]
			along := tensor.Dot(out, dy[from:][:cols])
			for n, v := range out {
				dx[from+n] += v * (dy[from+n] - along)
			}
		}
	})
	return y
}
