package ad

import (
	"math"

	"attnatlas/engine/tensor"
)

// LayerNorm returns (x − mean)/√(variance + eps)·γ + β along the last axis, with the biased
// variance (Ba et al. 2016, eq. 4).
func LayerNorm(x, gamma, beta *Var, eps Elem) *Var {
	t, cols := x.tape, x.Dim(-1)
	if gamma.Value.Len() != cols || beta.Value.Len() != cols {
		panic(shapeError("LayerNorm", x.Value, gamma.Value, beta.Value))
	}
	rows := x.Value.Len() / max(cols, 1)
	y := t.result([]*Var{x, gamma, beta}, x.Shape()...)
	y.explain(func(i int) Origin {
		return normed(Normalised, x, i, float64(eps), Number{gamma, i % cols}, Number{beta, i % cols})
	})
	norm := tensor.LayerNorm{Gamma: gamma.Value.Data, Beta: beta.Value.Data, Mean: t.numbers.take(rows),
		RStd: t.numbers.take(rows)}
	tensor.LayerNormRows(y.Value.Data, x.Value.Data, norm, eps)
	t.record(y, func(dy []Elem) {
		dx := t.array(x.Shape()...)
		tensor.LayerNormRowsBackward(dx.Data, x.Value.Data, dy, norm,
			tensor.LayerNorm{Gamma: gamma.orScratch(), Beta: beta.orScratch()})
		if x.active {
			x.add(dx.Data)
		}
	})
	return y
}

// RMSNorm gives every row the same root mean square: it returns x/√(mean(x²) + eps) along the last
// axis (Zhang and Sennrich 2019, eq. 4, without gain).
func RMSNorm(x *Var, eps float64) *Var {
	d := x.Dim(-1)
	t := x.tape
	y := t.result([]*Var{x}, x.Shape()...)
	y.explain(func(i int) Origin { return normed(RootMean, x, i, eps) })
	inverse := t.numbers.take(x.Value.Len() / max(d, 1))
	for i := range inverse {
		r := x.Value.Data[i*d:][:d]
		inverse[i] = Elem(1 / math.Sqrt(float64(tensor.Dot(r, r))/float64(d)+eps))
		tensor.Scale(y.Value.Data[i*d:][:d], inverse[i], r)
	}
	t.record(y, func(dy []Elem) {
		dx := x.sum()
		for i, r := range inverse {
			to, hat, g := dx[i*d:][:d], y.Value.Data[i*d:][:d], dy[i*d:][:d]
			along := tensor.Dot(hat, g) / Elem(d)
			tensor.Axpy(to, r, g)
			tensor.Axpy(to, -r*along, hat)
		}
	})
	return y
}

// DeviationNorm returns (x − mean)/(s + eps)·γ + β along the last axis, with the sample standard
// deviation s, s² = Σ(x − mean)²/(d − 1). Code that follows an early PyTorch tutorial uses it as
// LayerNorm.
func DeviationNorm(x, gamma, beta *Var, eps Elem) *Var {
	d := x.Dim(-1)
	if gamma.Value.Len() != d || beta.Value.Len() != d {
		panic(shapeError("DeviationNorm", x.Value, gamma.Value, beta.Value))
	}
	t, rows := x.tape, x.Value.Len()/max(d, 1)
	y := t.result([]*Var{x, gamma, beta}, x.Shape()...)
	y.explain(func(i int) Origin {
		return normed(Deviated, x, i, float64(eps), Number{gamma, i % d}, Number{beta, i % d})
	})
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

// normed returns the origin of number i of a norm, with γ and β if there are any.
func normed(by Operation, x *Var, i int, eps float64, gain ...Number) Origin {
	d := x.Dim(-1)
	return Origin{Operation: by, X: Several(x, i/d*d, 1, d), Own: i % d, Eps: eps, Plus: gain}
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
