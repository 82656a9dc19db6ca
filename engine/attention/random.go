package attention

import (
	"attnatlas/engine/ad"
	"attnatlas/engine/nn"
	"attnatlas/engine/trace"
)

// Random is the Random Synthesizer (Tay et al. 2020, arXiv:2005.00743,
// sec. 3.2, eq. 6): the scores are a trained parameter that never sees the text.
//
//	A_a = softmax(R_a)    Y = [A_1·V_1 … A_H·V_H]·W_Oᵀ + b_O    R [H,L,L]
//
// A text of N tokens uses the upper left N×N part of R. Parameters HL² + 2d² + 2d.
//
// Differences: R starts at N(0, 0.02²) and learns ten times faster than the
// rest, without weight decay. Started at N(0, 1), as in the common sketch of the paper,
// its noise is never overwritten.
var Random = Entry{
	ID:      "random",
	Name:    "Learned random",
	Summary: "Ignores your words: one trained matrix of positions, the same for every text.",
	Formula: "A = softmax(R),  R trained, independent of the text",
	Cost:    "O(N²·d), without computing scores",
	Growth:  2,
	Paper:   synthesizer("sec. 3.2, eq. 6"),
	Views:   []View{{Map: "weights", Symbol: "A", Caption: "how much the row's position reads from the column's position"}},
	New: func(s *nn.Scope, c Config) (Mixer, error) {
		if err := c.check(); err != nil {
			return nil, err
		}
		r := s.Param("R", nn.Normal(0.02), c.Heads, c.Length, c.Length).Faster(10).NoDecay()
		return newRandom(s, c, r), nil
	},
}

func newRandom(s *nn.Scope, c Config, r *nn.Param) *random {
	return &random{r: r, v: nn.NewLinear(s, "V", c.Width, c.Width), o: nn.NewLinear(s, "O", c.Width, c.Width)}
}

func synthesizer(equations string) Paper {
	return Paper{
		Authors: "Tay, Bahri, Metzler, Juan, Zhao, Zheng", Year: 2021,
		Title: "Synthesizer: Rethinking Self-Attention for Transformer Models", Venue: "ICML", ArXiv: "2005.00743",
		Equations: equations,
	}
}

type random struct {
	r    *nn.Param // [H,L,L]
	v, o nn.Linear
}

func (m *random) Mix(p *nn.Pass, x *ad.Var) *ad.Var {
	n := x.Dim(-2)
	v := p.Step("v", `V = XW_V^\top + b_V`, trace.Activation, m.v.Apply(p, x), trace.Token, trace.Channel) // [N,d]
	r := p.Use(m.r)
	return mixValues(p, v, m.o, `S = R_{1:N,1:N}`, func(from, to int) *ad.Var {
		return ad.Window(r, from, to, n) // [H,to-from,N]
	})
}
