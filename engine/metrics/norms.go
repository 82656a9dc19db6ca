package metrics

import (
	"math"

	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
)

// Norms holds the lengths of the terms of a mixer's result (see Terms): attention weights
// multiplied by the vectors that they carry (Kobayashi et al. 2020, EMNLP, sec. 3; with the
// residual stream and the LayerNorm: Kobayashi et al. 2021, EMNLP, arXiv:2109.07152, sec. 3). Their
// rows have no sum rule.
type Norms struct {
	Value *tensor.T // ‖f_h(x_j)‖ [H,M]; nil if values are projected in several ways
	Head  *tensor.T // ‖A_hij f_h(x_j)‖ [H,N,M]
	Sum   *tensor.T // ‖Σ_h A_hij f_h(x_j)‖ [N,M]: the length of the sum, not the sum of lengths
	// Residual holds the norms of t_ij + δ_ij x_i, with the residual stream x. Normalised holds the
	// norms of those terms after the LayerNorm that follows: ‖γ∘(t − mean t)/σ_i‖, where σ_i² is
	// the variance of the whole sum plus ε. Normalised is nil if no LayerNorm follows. Both are nil
	// if a bare mixer returns another width.
	Residual, Normalised *tensor.T
	// Mixing, MixingResidual and MixingNormalised are the mixing ratios ‖Σ_{j≠i} t_ij‖/(‖Σ_{j≠i}
	// t_ij‖ + ‖t_ii‖) of the three kinds of terms [N].
	Mixing, MixingResidual, MixingNormalised *tensor.T
}

// NormsOf returns the norms of one call of a mixer, or nil if its result is not a sum of values.
func NormsOf(call nn.Mixing) *Norms {
	t := TermsOf(call)
	if t == nil {
		return nil
	}
	v := Norms{Head: t.headNorms()}
	if len(t.sums) == 1 {
		v.Value = t.valueNorms()
	}
	v.Sum, v.Mixing = t.norms(func(_, _ int, term []tensor.Elem) {})
	residual := residualOf(call)
	if !residual.SameShape(t.Output) {
		return &v
	}
	join := func(i, j int, term []tensor.Elem) {
		if i == j {
			tensor.Axpy(term, 1, residual.Data[i*len(term):][:len(term)])
		}
	}
	v.Residual, v.MixingResidual = t.norms(join)
	if norm := normOf(call); norm != nil {
		scale := deviations(residual, t.Output, norm.Eps)
		v.Normalised, v.MixingNormalised = t.norms(func(i, j int, term []tensor.Elem) {
			join(i, j, term)
			normalise(term, norm.Gamma.Value.Data, scale[i])
		})
	}
	return &v
}

// residualOf returns the residual stream that the result is added to [N,d].
func residualOf(call nn.Mixing) *tensor.T {
	if call.Around == nil {
		return call.X.Sub(0)
	}
	return call.Around.Inputs[0].Sub(0)
}

// normOf returns the LayerNorm after the sum, or nil. It also returns nil for norms with another
// formula, which are not linear in the terms in the same way.
func normOf(call nn.Mixing) *nn.LayerNorm {
	if call.Around == nil || call.Around.Norm == nil || call.Around.Norm.Formula != nil {
		return nil
	}
	return call.Around.Norm
}

// deviations returns σ_i = √(var(x_i + y_i) + ε) for x and y [N,d].
func deviations(x, y *tensor.T, eps float64) []float64 {
	n, d := y.Dim(0), y.Dim(1)
	all := make([]float64, n)
	for i := range all {
		sum, squares := 0.0, 0.0
		at := func(k int) float64 { return float64(x.Data[i*d+k]) + float64(y.Data[i*d+k]) }
		for k := range d {
			sum += at(k)
		}
		for k := range d {
			e := at(k) - sum/float64(d)
			squares += e * e
		}
		all[i] = math.Sqrt(squares/float64(d) + eps)
	}
	return all
}

// normalise replaces t by γ∘(t − mean t)/σ.
func normalise(t, gamma []tensor.Elem, sigma float64) {
	mean := 0.0
	for _, v := range t {
		mean += float64(v) / float64(len(t))
	}
	for k, v := range t {
		t[k] = tensor.Elem(float64(gamma[k]) * (float64(v) - mean) / sigma)
	}
}

// valueNorms returns ‖f_h(x_j)‖ [H,M].
func (t *Terms) valueNorms() *tensor.T {
	f := t.sums[0].f
	out := tensor.New(f.Shape[:2]...)
	for i := range out.Data {
		out.Data[i] = tensor.Elem(length(f.Data[i*f.Dim(2):][:f.Dim(2)]))
	}
	return out
}

// headNorms returns the lengths of each head's part of t_ij: [H,N,M].
func (t *Terms) headNorms() *tensor.T {
	heads, n, m := t.Heads(), t.Output.Dim(0), t.Sources
	out := tensor.New(heads, n, m)
	if len(t.sums) == 1 { // |A_hij|·‖f_h(x_j)‖
		values := t.valueNorms()
		for i := range out.Data {
			out.Data[i] = tensor.Elem(math.Abs(float64(t.sums[0].weights.Data[i]))) * values.Data[i/(n*m)*m+i%m]
		}
		return out
	}
	term := make([]tensor.Elem, t.Output.Dim(1))
	for i := range out.Data {
		clear(term)
		t.add(i/(n*m), i/m%n, i%m, term)
		out.Data[i] = tensor.Elem(length(term))
	}
	return out
}

// norms returns the lengths [N,M] of the terms after change, and their mixing ratios [N] if the sources are outputs.
func (t *Terms) norms(change func(i, j int, term []tensor.Elem)) (lengths, mixing *tensor.T) {
	n, d := t.Output.Dim(0), t.Output.Dim(1)
	lengths, mixing = tensor.New(n, t.Sources), tensor.New(n)
	term, others := make([]tensor.Elem, d), make([]float64, d)
	for i := range n {
		clear(others)
		own := 0.0
		for j := range t.Sources {
			t.At(i, j, term)
			change(i, j, term)
			l := length(term)
			lengths.Data[i*t.Sources+j] = tensor.Elem(l)
			if j == i {
				own = l
				continue
			}
			for k, v := range term {
				others[k] += float64(v)
			}
		}
		mixing.Data[i] = tensor.Elem(ratio(others, own))
	}
	return lengths, mixing
}

// ratio returns ‖others‖/(‖others‖ + own), or 0 if both are 0.
func ratio(others []float64, own float64) float64 {
	sum := 0.0
	for _, v := range others {
		sum += v * v
	}
	l := math.Sqrt(sum)
	if l == 0 {
		return 0
	}
	return l / (l + own)
}
