package ad

import (
	"math"

	"attnatlas/engine/tensor"
)

// Softmax returns y_j = exp(x_j) / Σ_k exp(x_k) along the last axis.
func Softmax(x *Var) *Var {
	t, cols := x.tape, x.Dim(-1)
	y := t.result([]*Var{x}, x.Shape()...)
	y.explain(func(i int) Origin {
		return Origin{Operation: Softmaxed, X: Several(x, i/cols*cols, 1, cols), Own: i % cols}
	})
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

// SoftmaxInPlace is Softmax for scores that are not used afterwards. If nothing is recorded, the
// result takes their memory.
func SoftmaxInPlace(x *Var) *Var {
	if x.tape.records() || x.tape.explains || !x.owned {
		return Softmax(x)
	}
	x.last = false
	tensor.SoftmaxRows(x.Value.Data, x.Value.Data, x.Dim(-1))
	return x
}

// SoftmaxEps returns y_n = e_n/(Σ e + eps) along the last axis with e_n = exp(x_n), or e_n = 0 if
// keep is false. Its sum is slightly less than 1, and 0 if nothing is kept. keep has one entry for
// each element of x; nil keeps all.
func SoftmaxEps(x *Var, keep []bool, eps float64) *Var {
	if keep != nil && len(keep) != x.Value.Len() {
		panic(tensor.ShapeError{Op: "ad.SoftmaxEps", Want: "one entry of keep for each element",
			Got: shapeError("", x.Value).Got})
	}
	t, cols := x.tape, x.Dim(-1)
	y := t.result([]*Var{x}, x.Shape()...)
	y.explain(func(i int) Origin {
		o := Origin{Operation: Softmaxed, Own: -1, Eps: eps}
		for at := i / cols * cols; at < (i/cols+1)*cols; at++ {
			if keep == nil || keep[at] {
				if at == i {
					o.Own = len(o.X)
				}
				o.X = append(o.X, Number{x, at})
			}
		}
		if o.Own < 0 {
			return constant(0)
		}
		return o
	})
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
		for n, v := range row { // e and eps are both scaled by exp(−top)
			if kept(n) {
				e := math.Exp(float64(v) - top)
				out[n], sum = Elem(e), sum+e
			}
		}
		if sum > 0 {
			tensor.Scale(out, Elem(1/(sum+eps*math.Exp(-top))), out)
		}
	}
	t.record(y, func(dy []Elem) { // as in Softmax: ∂y_n/∂x_m = y_n(δ_nm − y_m)
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

// LogSoftmax returns x − log Σ_k exp(x_k) along the last axis.
func LogSoftmax(x *Var) *Var {
	t, cols := x.tape, x.Dim(-1)
	y := t.result([]*Var{x}, x.Shape()...)
	p := t.array(x.Shape()...)
	tensor.SoftmaxRows(p.Data, x.Value.Data, cols)
	rows := x.Value.Len() / max(cols, 1)
	for i := range rows {
		from, share, to := x.Value.Data[i*cols:][:cols], p.Data[i*cols:][:cols], y.Value.Data[i*cols:][:cols]
		for j := range to {
			to[j] = Elem(logSoftmaxAt(from, share, j))
		}
	}
	t.record(y, func(dy []Elem) { // dx = dy − softmax(x)·Σ dy
		dx := x.sum()
		for i := range rows {
			g, to := dy[i*cols:][:cols], dx[i*cols:][:cols]
			sum := Elem(0)
			for _, v := range g {
				sum += v
			}
			tensor.Add(to, to, g)
			tensor.Axpy(to, -sum, p.Data[i*cols:][:cols])
		}
	})
	return y
}

// SigmoidPair returns (σ(a), 1−σ(a)) for one number a [1], with the logistic function σ(a) =
// 1/(1+e⁻ᵃ). The two weights sum to 1.
func SigmoidPair(a *Var) *Var {
	if a.Value.Len() != 1 {
		panic(shapeError("SigmoidPair", a.Value))
	}
	t := a.tape
	y := t.result([]*Var{a}, 2)
	y.explain(func(i int) Origin { return applied([]string{"sigmoid", "one-less-sigm"}[i], a, 0) })
	s := Elem(1 / (1 + math.Exp(-float64(a.Value.Data[0]))))
	y.Value.Data[0], y.Value.Data[1] = s, 1-s
	t.record(y, func(dy []Elem) { a.sum()[0] += s * (1 - s) * (dy[0] - dy[1]) })
	return y
}
