package nn

import (
	"attnatlas/engine/ad"
	"attnatlas/engine/trace"
)

// Linear is the affine map y = x·Wᵀ + b.
type Linear struct {
	W, B *Param // [out,in], [out]; B is nil without a bias
}

// Std is the standard deviation of the initial weights (Devlin et al. 2018). It is small, so that
// at first the residual stream carries words and positions unchanged through all layers.
const Std = 0.02

// NewLinear makes the projection called name. Its parameters are "W_name" [out,in], drawn from N(0,
// Std²), and "b_name" [out], initially 0.
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

// LayerNorm normalises each position over its features. Without parameters, it returns its input.
type LayerNorm struct {
	Gamma, Beta *Param
	Eps         float64
	Formula     func(x, gamma, beta *ad.Var, eps ad.Elem) *ad.Var // nil: ad.LayerNorm
}

// NewLayerNorm makes a LayerNorm with the parameters "gamma" = 1 and "beta" = 0 in the scope.
func NewLayerNorm(s *Scope, width int, eps float64) LayerNorm {
	return LayerNorm{Gamma: s.Param("gamma", Ones, width), Beta: s.Param("beta", Zeros, width), Eps: eps}
}

// Apply returns x, normalised, in the same shape.
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

// FeedForward is the feed-forward network W_2·act(W_1·x + b_1) + b_2, applied at every position
// (Vaswani et al. 2017, eq. 2).
type FeedForward struct {
	In, Out Linear
	Act     func(*ad.Var) *ad.Var // nil: the GELU of Hendrycks and Gimpel (2016)
}

// NewFeedForward makes a network with W_1 [inner,width] and W_2 [width,inner].
func NewFeedForward(s *Scope, width, inner int) FeedForward {
	return FeedForward{In: NewLinear(s, "1", width, inner), Out: NewLinear(s, "2", inner, width)}
}

// With returns the network with another activation function.
func (f FeedForward) With(act func(*ad.Var) *ad.Var) FeedForward {
	f.Act = act
	return f
}

// Apply returns the network's output, in the shape of x.
func (f FeedForward) Apply(p *Pass, x *ad.Var) *ad.Var {
	act := f.Act
	if act == nil {
		act = ad.GELU
	}
	const hidden = "ffn hidden"
	apply := func() *ad.Var {
		h := p.Step(hidden, `\mathrm{act}(W_1x + b_1)`, trace.Activation, act(f.In.Apply(p, x).Last()), trace.Token,
			trace.Channel) // [N,inner]
		return f.Out.Apply(p, h)
	}
	if p.Wants(hidden) {
		return apply()
	}
	return p.Tape.Scratch(apply)
}

// Embedding is a table with one row per word or position.
type Embedding struct{ Table *Param } // [count,width]

// NewEmbedding makes a table [count,width] drawn from N(0, Std²), without weight decay.
func NewEmbedding(s *Scope, name string, count, width int) Embedding {
	return Embedding{s.Param(name, Normal(Std), count, width).NoDecay()}
}
