package attention

import (
	"attnatlas/engine/nn"
)

// FixedRandom is the Random Synthesizer with a matrix that is drawn once and never trained (Tay et
// al. 2020, arXiv:2005.00743, sec. 3.2 of v3). It is a control for Random, and computes the same
// formula.
//
// Trained parameters: 2d² + 2d. The HL² numbers of R are stored in addition.
var FixedRandom = newEntry(Entry{
	ID:            "fixed-random",
	Family:        synthesizers,
	Formula:       `A = \mathrm{softmax}(R) \quad R \text{ drawn once, not trained}`,
	Blind:         true,
	Table:         []string{"R"},
	Cost:          `O(N²·d)\text{, without computing scores}`,
	Growth:        2,
	Paper:         synthesizer("sec. 3.2"),
	ParamsFormula: "2d² + 2d",
	FLOPsFormula:  "4Nd² + 2N²d",
	State:         "Nd",
	Masks:         Masks{EmptyRow: uniformRow},
	Views:         Random.Views,
	Params:        func(c Config) int { return 2 * linear(c.Width, c.Width) },
	Untrained:     func(c Config) int { return c.Heads * c.Length * c.Length },
	FLOPs:         valueFLOPs,
	PerPosition:   everyPosition,
	New: func(s *nn.Scope, c Config) (Mixer, error) {
		r := s.Param("R", nn.Normal(1), c.Heads, c.Length, c.Length)
		r.Frozen = true
		return newRandom(s, c, r), nil
	},
})
