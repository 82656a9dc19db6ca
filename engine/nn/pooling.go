package nn

import (
	"attnatlas/engine/ad"
	"attnatlas/engine/trace"
)

// AttentionPooling combines a text into one vector (Yang et al. 2016, sec. 2.2; Wu et al. 2021,
// arXiv:2108.09084, sec. 3.1):
//
//	e_n = exp(w·tanh(W·x_n + b) + c)    a_n = e_n/(Σ e + ε)    y = Σ a_n x_n
//
// The sums run over the words that are neither padding nor blocked. ε = 10⁻⁸ is the value in
// Fastformer's code.
type AttentionPooling struct{ Hidden, Score Linear } // [d,d], [1,d]

const poolingEps = 1e-8

// NewAttentionPooling makes the parameters W, b and w, c.
func NewAttentionPooling(s *Scope, width int) AttentionPooling {
	return AttentionPooling{NewLinear(s, "hidden", width, width), NewLinear(s, "score", width, 1)}
}

// Apply maps x [B,N,d] to [B,d] and records a as "pooling" [N].
func (a AttentionPooling) Apply(p *Pass, x *ad.Var) *ad.Var {
	b, n := x.Dim(0), x.Dim(1)
	s := ad.Reshape(a.Score.Apply(p, ad.Tanh(a.Hidden.Apply(p, x))), b, n) // [N]
	w := p.Step("pooling", `a_n = e_n/(\sum e + \epsilon)`, trace.Probability,
		ad.SoftmaxEps(s, p.Mask.Readable(b, n), poolingEps), trace.Token)
	y := ad.HeadMix(ad.Reshape(w, b, 1, 1, n), x) // [1,d]
	return p.Step("pooled text", `\sum_n a_nx_n`, trace.Activation, ad.Reshape(y, b, x.Dim(2)), trace.Channel)
}
