package nn

import (
	"attnatlas/engine/ad"
	"attnatlas/engine/trace"
)

// Linear is y = x·Wᵀ + b.
type Linear struct {
	W, B *Param // [out,in], [out]; no bias: nil
}

// Std is the standard deviation of the first values of weights (Devlin et al.
// 2018). It is small, so that at first the residual stream carries the words and
// positions themselves through all layers.
const Std = 0.02

// NewLinear makes the projection called name: parameters "W_name" [out,in],
// N(0, Std²), and "b_name" [out], zero.
func NewLinear(s *Scope, name string, in, out int) Linear {
	return Linear{s.Param("W_"+name, Normal(Std), out, in), s.Param("b_"+name, Zeros, out)}
}

// Apply maps x [N,in] to [N,out].
func (l Linear) Apply(p *Pass, x *ad.Var) *ad.Var {
	var b *ad.Var
	if l.B != nil {
		b = p.Use(l.B)
	}
	return ad.Linear(x, p.Use(l.W), b)
}

// LayerNorm normalises each position over its features. One without parameters leaves it as it is.
type LayerNorm struct {
	Gamma, Beta *Param
	Eps         float64
	Formula     func(x, gamma, beta *ad.Var, eps ad.Elem) *ad.Var // nil: ad.LayerNorm
}

// NewLayerNorm makes "gamma" = 1 and "beta" = 0 in the scope.
func NewLayerNorm(s *Scope, width int, eps float64) LayerNorm {
	return LayerNorm{Gamma: s.Param("gamma", Ones, width), Beta: s.Param("beta", Zeros, width), Eps: eps}
}

// Apply keeps the shape of x.
func (l LayerNorm) Apply(p *Pass, x *ad.Var) *ad.Var {
	if l.Gamma == nil {
		return x
	}
	formula := l.Formula
	if formula == nil {
		formula = ad.LayerNorm
	}
	return formula(x, p.Use(l.Gamma), p.Use(l.Beta), ad.Elem(l.Eps))
}

// FeedForward is W_2·act(W_1·x + b_1) + b_2 at every position
// (Vaswani et al. 2017, eq. 2).
type FeedForward struct {
	In, Out Linear
	Act     func(*ad.Var) *ad.Var // nil: the GELU of Hendrycks and Gimpel (2016)
}

// NewFeedForward makes W_1 [inner,width] and W_2 [width,inner].
func NewFeedForward(s *Scope, width, inner int) FeedForward {
	return FeedForward{In: NewLinear(s, "1", width, inner), Out: NewLinear(s, "2", inner, width)}
}

// With is the sublayer with another activation.
func (f FeedForward) With(act func(*ad.Var) *ad.Var) FeedForward {
	f.Act = act
	return f
}

// Apply keeps the shape of x.
func (f FeedForward) Apply(p *Pass, x *ad.Var) *ad.Var {
	act := f.Act
	if act == nil {
		act = ad.GELU
	}
	h := p.Step("ffn hidden", `\mathrm{act}(W_1x + b_1)`, trace.Activation, act(f.In.Apply(p, x)), trace.Token,
		trace.Channel) // [N,inner]
	return f.Out.Apply(p, h)
}

// Embedding is a table with one row per word or position.
type Embedding struct{ Table *Param } // [count,width]

// NewEmbedding draws the table from N(0, Std²).
func NewEmbedding(s *Scope, name string, count, width int) Embedding {
	return Embedding{s.Param(name, Normal(Std), count, width).NoDecay()}
}
