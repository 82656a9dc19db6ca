package attention

import (
	"attnatlas/engine/ad"
	"attnatlas/engine/citation"
	"attnatlas/engine/nn"
)

// Random is the Random Synthesizer (Tay et al. 2020, arXiv:2005.00743, sec. 3.2 of v3). Its scores
// are a trained parameter that does not depend on the text.
//
//	A_a = softmax(R_a)    Y = [A_1·V_1 … A_H·V_H]·W_Oᵀ + b_O    R [H,L,L]
//
// A text of N tokens uses the upper-left N×N part of R. Parameters: HL² + 2d² + 2d.
var Random = newEntry(Entry{
	ID:            "random",
	Family:        synthesizers,
	Formula:       `A = \mathrm{softmax}(R) \quad R \text{ trained, independent of the text}`,
	Blind:         true,
	Table:         []string{"R"},
	Cost:          `O(N²·d)\text{, without computing scores}`,
	Growth:        2,
	Still:         "fixed-random",
	Paper:         synthesizer("sec. 3.2"),
	ParamsFormula: "HL² + 2d² + 2d",
	FLOPsFormula:  "4Nd² + 2N²d",
	State:         "Nd",
	Masks:         Masks{EmptyRow: uniformRow},
	Views: []View{
		{Map: "weights", Symbol: "A", Caption: positionReadsPosition},
		{Map: "scores", Symbol: "R"},
	},
	Params:      func(c Config) int { return c.Heads*c.Length*c.Length + 2*linear(c.Width, c.Width) },
	FLOPs:       valueFLOPs,
	PerPosition: everyPosition,
	New: func(s *nn.Scope, c Config) (Mixer, error) {
		r := s.Param("R", nn.Normal(0.02), c.Heads, c.Length, c.Length).Faster(10).NoDecay()
		return newRandom(s, c, r), nil
	},
})

func newRandom(s *nn.Scope, c Config, r *nn.Param) *random {
	return &random{r: r, v: square(s, "V", c), o: square(s, "O", c)}
}

// synthesizer returns the paper of all synthesizers, with the version to which the sections refer.
func synthesizer(sections string) citation.Paper {
	return citation.Paper{
		Authors: "Yi Tay, Dara Bahri, Donald Metzler, Da-Cheng Juan, Zhe Zhao, Che Zheng", Year: 2021,
		Title: "Synthesizer: Rethinking Self-Attention for Transformer Models", Venue: "ICML", ArXiv: "2005.00743",
		Equations: "arXiv v3, " + sections,
	}
}

// valueFLOPs returns the operations of V, A·V and O, without scores.
func valueFLOPs(c Config, n int) int64 {
	return 4*product64(n, c.Width, c.Width) + 2*product64(n, n, c.Width)
}

type random struct {
	r    *nn.Param // [H,L,L]
	v, o nn.Linear
}

// Mix returns the output [B,N,d] for x [B,N,d]. Scores are parameters.
func (m *random) Mix(p *nn.Pass, x *ad.Var) *ad.Var {
	v := project(p, "v", m.v, x) // [N,d]
	return p.Project(m.o, p.Read(m.Attend(p, nil, nil, v)))
}

// Attend is Mix between the projections; R needs neither query nor key.
func (m *random) Attend(p *nn.Pass, _, _, v *ad.Var) *ad.Var {
	return mixHeads(p, v, `S = R_{1:N,1:N}`, randomScores(p, m.r, v.Dim(-2)))
}

// randomScores returns the scores R [H,L,L] of n positions.
func randomScores(p *nn.Pass, param *nn.Param, n int) scores {
	r := p.Use(param)
	return scores{
		heads:  param.Value.Dim(0),
		rows:   func(from, to int) *ad.Var { return ad.SubMatrix(r, from, to, n) },
		quick:  func() ad.Scorer { return ad.TableScorer(r) },
		shared: true,
	}
}
