package attention

import (
	"math"

	"attnatlas/engine/ad"
	"attnatlas/engine/nn"
	"attnatlas/engine/trace"
)

// local is the Reformer's other kind of layer: the windows of lsh over the text as it
// stands, without hashing. Queries and keys are separate and not normalised, and a
// word reads itself like any other:
//
//	A = softmax(q_i·k_j/√d_h) over the word's own chunk and the ones beside it
//
// The text is a circle of chunks: the first sees the last, unless the mask is causal.
type local struct {
	q, k, v *nn.Param // [H·d_h,d]
	cut     chunking
}

func (m *local) Mix(p *nn.Pass, x *ad.Var) *ad.Var {
	q := p.Step("q", `Q = XW_Q^\top`, trace.Activation, ad.Linear(x, p.Use(m.q), nil), trace.Token, trace.Channel) // [N,H·d_h]
	k := p.Step("k", `K = XW_K^\top`, trace.Activation, ad.Linear(x, p.Use(m.k), nil), trace.Token, trace.Channel) // [N,H·d_h]
	v := p.Step("v", `V = XW_V^\top`, trace.Activation, ad.Linear(x, p.Use(m.v), nil), trace.Token, trace.Channel) // [N,H·d_h]
	w := m.cut.inOrder(x.Dim(0), x.Dim(1))
	s := ad.ChunkScores(ad.HeadRows(q, m.cut.heads, w.at), ad.HeadRows(k, m.cut.heads, w.at), w.chunks,
		ad.Elem(1/math.Sqrt(float64(m.cut.width)))) // [H,N,W]
	return w.mix(p, s, v, pattern{}) // [N,H·d_h]
}
