package ad

import (
	"math"

	"attnatlas/engine/tensor"
)

// ScaleRows is y_n = w_n·x_n: one number for every row, w [N], x [N,d] → [N,d].
func ScaleRows(w, x *Var) *Var {
	rows, d := w.Value.Len(), x.Dim(-1)
	if x.Value.Len() != rows*d {
		panic(shapeError("ScaleRows", w.Value, x.Value))
	}
	t := x.tape
	y := t.result([]*Var{w, x}, x.Shape()...)
	for i, s := range w.Value.Data {
		tensor.Scale(y.Value.Data[i*d:][:d], s, x.Value.Data[i*d:][:d])
	}
	t.record(y, func(dy []Elem) {
		if x.active {
			dx := x.sum()
			for i, s := range w.Value.Data {
				tensor.Axpy(dx[i*d:][:d], s, dy[i*d:][:d])
			}
		}
		if w.active {
			dw := w.sum()
			for i := range dw {
				dw[i] += tensor.Dot(dy[i*d:][:d], x.Value.Data[i*d:][:d])
			}
		}
	})
	return y
}

// DeviationNorm is (x − mean)/(s + eps)·γ + β along the last axis, with the standard
// deviation s of a sample, s² = Σ(x − mean)²/(d − 1). It is what LayerNorm is in code
// that follows an early PyTorch tutorial.
func DeviationNorm(x, gamma, beta *Var, eps Elem) *Var {
	d := x.Dim(-1)
	if gamma.Value.Len() != d || beta.Value.Len() != d {
		panic(shapeError("DeviationNorm", x.Value, gamma.Value, beta.Value))
	}
	t, rows := x.tape, x.Value.Len()/max(d, 1)
	y := t.result([]*Var{x, gamma, beta}, x.Shape()...)
	z := t.array(rows, d) // (x − mean)/(s + eps)
	deviation := t.numbers.take(rows)
	for i := range rows {
		to := z.Data[i*d:][:d]
		s := standardise(to, x.Value.Data[i*d:][:d], eps)
		deviation[i] = s
		out := y.Value.Data[i*d:][:d]
		tensor.Mul(out, to, gamma.Value.Data)
		tensor.Add(out, out, beta.Value.Data)
	}
	t.record(y, func(dy []Elem) {
		part, dx := t.numbers.take(d), x.orScratch()
		dgamma, dbeta := gamma.orScratch(), beta.orScratch()
		for i := range rows {
			g, v := dy[i*d:][:d], z.Data[i*d:][:d]
			tensor.Add(dbeta, dbeta, g)
			tensor.Mul(part, g, v)
			tensor.Add(dgamma, dgamma, part)
			tensor.Mul(part, g, gamma.Value.Data)
			addStandardised(dx[i*d:][:d], part, v, deviation[i], eps)
		}
	})
	return y
}

// standardise writes z = (x − mean)/(s + eps) and returns s.
func standardise(z, x []Elem, eps Elem) (s Elem) {
	sum, squares := 0.0, 0.0
	for _, v := range x {
		sum += float64(v)
	}
	mean := sum / float64(len(x))
	for _, v := range x {
		squares += (float64(v) - mean) * (float64(v) - mean)
	}
	s = Elem(math.Sqrt(squares / float64(len(x)-1)))
	for i, v := range x {
		z[i] = (v - Elem(mean)) / (s + eps)
	}
	return s
}

// addStandardised is the pullback of standardise: because ∂s/∂x = (x − mean)/((d−1)s),
//
//	dx += (dz − mean dz)/(s + eps) − z·Σ(dz∘z)/((d−1)s)
func addStandardised(dx, dz, z []Elem, s, eps Elem) {
	mean, along := 0.0, 0.0
	for i, g := range dz {
		mean += float64(g)
		along += float64(g) * float64(z[i])
	}
	mean /= float64(len(dz))
	if s > 0 {
		along /= float64(len(dz)-1) * float64(s)
	}
	for i, g := range dz {
		dx[i] += (g-Elem(mean))/(s+eps) - z[i]*Elem(along)
	}
}

// LogSoftmax is x − log Σ_k exp(x_k) along the last axis.
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
