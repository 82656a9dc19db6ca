package attention

import (
	"attnatlas/engine/ad"
	"attnatlas/engine/nn"
	"attnatlas/engine/svd"
	"attnatlas/engine/tensor"
	"attnatlas/engine/trace"
)

// FactorizedRandom is the Factorized Random Synthesizer (Tay et al. 2020, arXiv:2005.00743, sec.
// 3.3): Random with a matrix of rank at most k.
//
//	A_a = softmax(R1_a·R2_aᵀ)    Y = [A_1·V_1 … A_H·V_H]·W_Oᵀ + b_O    R1, R2 [H,L,k]
//
// A text of N tokens uses the first N rows of each. Parameters: 2HLk + 2d² + 2d.
var FactorizedRandom = newEntry(Entry{
	ID:            "factorized-random",
	Family:        synthesizers,
	Formula:       `A = \mathrm{softmax}(R_1R_2^\top) \quad R_1, R_2 \text{ of } k \text{ columns, independent of the text}`,
	Blind:         true,
	Cost:          "O(N²·d + N²·H·k)",
	Growth:        2,
	Paper:         synthesizer("sec. 3.3, Factorized Random Synthesizer: Y = Softmax(R₁R₂ᵀ)G(X)"),
	ParamsFormula: "2HLk + 2d² + 2d",
	FLOPsFormula:  "4Nd² + 2N²d + 2HN²k",
	State:         "Nd",
	Sizes:         optionSizes(factorizedRandomOptions),
	Masks:         Masks{EmptyRow: uniformRow},
	Views: []View{
		{Map: "weights", Symbol: "A", Caption: positionReadsPosition},
		{Map: "scores", Symbol: "R₁R₂ᵀ"},
		{Map: "R1", Symbol: "R₁"},
		{Map: "R2", Symbol: "R₂"},
		{Map: "singular values", Symbol: "σ", Apart: true},
	},
	Options: factorizedRandomOptions,
	Table:   []string{"R1", "R2"},
	Params: func(c Config) int {
		return 2*c.Heads*c.Length*factorizedRank(c) + 2*linear(c.Width, c.Width)
	},
	FLOPs: func(c Config, n int) int64 {
		return 2*product64(c.Heads, n, n, factorizedRank(c)) + valueFLOPs(c, n)
	},
	PerPosition: everyPosition,
	New: func(s *nn.Scope, c Config) (Mixer, error) {
		k := factorizedRank(c)
		factor := func(name string) *nn.Param {
			return s.Param(name, nn.Normal(0.3), c.Heads, c.Length, k).Faster(5).NoDecay()
		}
		return &factorizedRandom{
			r1: factor("R1"), r2: factor("R2"),
			v: square(s, "V", c), o: square(s, "O", c),
		}, nil
	},
})

var factorizedRandomOptions = []Option{{Name: "k", Symbol: "k", Default: "8"}}

func factorizedRank(c Config) int { return c.choices(factorizedRandomOptions...).number("k") }

type factorizedRandom struct {
	r1, r2 *nn.Param // [H,L,k]
	v, o   nn.Linear
}

// Mix returns the output [B,N,d] for x [B,N,d]. Scores are the product of two learned factors.
func (m *factorizedRandom) Mix(p *nn.Pass, x *ad.Var) *ad.Var {
	n := x.Dim(-2)
	v := project(p, "v", m.v, x) // [N,d]
	r1 := p.Step("R1", `R_{1,1:N}`, trace.Activation, ad.Narrow(p.Use(m.r1), -2, n), trace.Head, trace.Query,
		trace.Channel) // [H,N,k]
	r2 := p.Step("R2", `R_{2,1:N}`, trace.Activation, ad.Narrow(p.Use(m.r2), -2, n), trace.Head, trace.Key,
		trace.Channel) // [H,N,k]
	p.Step("R1 of all positions", `R_1`, trace.Activation, p.Use(m.r1), trace.Head, trace.Slot,
		trace.Channel) // [H,L,k]
	p.Step("R2 of all positions", `R_2`, trace.Activation, p.Use(m.r2), trace.Head, trace.Slot,
		trace.Channel) // [H,L,k]
	if p.Watched() {
		p.ShowArray("singular values", `\sigma(R_{1,1:N}R_{2,1:N}^\top)`, trace.Weight, spectra(r1.Value, r2.Value),
			trace.Head, trace.Channel) // [H,k]
	}
	return mixValues(p, v, m.o, `S = R_{1,1:N}R_{2,1:N}^\top`, scores{
		heads: r1.Dim(0),
		rows: func(from, to int) *ad.Var {
			s := ad.HeadScores(ad.Slice(r1, -2, from, to), r2, 1, 1) // [H,1,to-from,N]: one sequence per head
			return ad.Reshape(s, s.Dim(0), to-from, n)               // [H,to-from,N]
		},
		quick:  func() ad.Scorer { return ad.FactorScorer(r1, r2) },
		shared: true,
	})
}

// spectra returns the k largest singular values of R1_a·R2_aᵀ for every head a, in descending
// order: [H,N,k] twice → [H,k].
func spectra(r1, r2 *tensor.T) *tensor.T {
	heads, k := r1.Dim(0), r1.Dim(2)
	out := tensor.New(heads, k)
	for a := range heads {
		for i, s := range svd.Decompose(r1.Sub(a), r2.Sub(a)).Values {
			out.Set(tensor.Elem(s), a, i)
		}
	}
	return out
}
