package attention

import (
	"attnatlas/engine/ad"
	"attnatlas/engine/nn"
	"attnatlas/engine/trace"
)

// Dense is the Dense Synthesizer (Tay et al. 2020, arXiv:2005.00743, sec. 3.1,
// eq. 3–5): every token writes its own row of scores, without looking at the others.
//
//	S_a = ReLU(X·W1_aᵀ + b1_a)·W2_aᵀ + b2_a    A_a = softmax(S_a)    Y = [A_1·V_1 … A_H·V_H]·W_Oᵀ + b_O
//
// W1 [H·d,d], W2 [H,L,d]. Row i depends on token i alone; column j is a place in the
// text, not the word there. Parameters H(d² + d + dL + L) + 2d² + 2d.
//
// Differences: each head has its own two layers of full width d. Only the
// first N of the L columns are computed for a text of N tokens; each column is
// the same number as if all were.
var Dense = Entry{
	ID:      "dense",
	Name:    "Dense synthesizer",
	Summary: "Each word alone decides where to look; it never compares itself with another word.",
	Formula: "A = softmax(W₂·ReLU(W₁·xᵢ))",
	Cost:    "O(N²·d + N·H·d·(d + N))",
	Growth:  2,
	Paper:   synthesizer("sec. 3.1, eq. 3–5"),
	Views:   []View{{Map: "weights", Symbol: "A", Caption: "how much the row's word reads from the column's position"}},
	New: func(s *nn.Scope, c Config) (Mixer, error) {
		if err := c.check(); err != nil {
			return nil, err
		}
		h, d, l := c.Heads, c.Width, c.Length
		return &dense{
			w1: s.Param("W_1", nn.Normal(nn.Std), h*d, d), b1: s.Param("b_1", nn.Zeros, h*d),
			w2: s.Param("W_2", nn.Normal(nn.Std), h, l, d), b2: s.Param("b_2", nn.Zeros, h, l).NoDecay(),
			v: nn.NewLinear(s, "V", d, d), o: nn.NewLinear(s, "O", d, d),
		}, nil
	},
}

type dense struct {
	w1, b1 *nn.Param // [H·d,d], [H·d]
	w2, b2 *nn.Param // [H,L,d], [H,L]
	v, o   nn.Linear
}

func (m *dense) Mix(p *nn.Pass, x *ad.Var) *ad.Var {
	n := x.Dim(-2)
	v := p.Step("v", `V = XW_V^\top + b_V`, trace.Activation, m.v.Apply(p, x), trace.Token, trace.Channel) // [N,d]
	h := p.Step("hidden", `\mathrm{ReLU}(XW_1^\top + b_1)`, trace.Activation,
		ad.ReLU(ad.Linear(x, p.Use(m.w1), p.Use(m.b1))), trace.Token, trace.Channel) // [N,H·d]
	w2, b2 := p.Use(m.w2), p.Use(m.b2)
	if p.Watched() { // all L columns: what the row says about places beyond the text
		p.Step("logits", `hW_2^\top + b_2`, trace.Activation, ad.HeadLinear(h, w2, b2), trace.Head, trace.Query, trace.Slot) // [H,N,L]
	}
	w2, b2 = ad.Crop(w2, -2, n), ad.Crop(b2, -1, n) // [H,N,d], [H,N]
	return mixValues(p, v, m.o, `S = hW_{2,1:N}^\top + b_{2,1:N}`, func(from, to int) *ad.Var {
		return ad.HeadLinear(ad.Slice(h, -2, from, to), w2, b2) // [H,to-from,N]
	})
}
