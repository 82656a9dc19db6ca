package costs

import (
	"math"
	"slices"
	"sync"

	"attnatlas/engine/attention"
	"attnatlas/engine/formula"
	"attnatlas/engine/nn"
)

// Claim is a statement of a published source about a mechanism's time or parameters.
type Claim struct {
	Source    string            `json:"source" doc:"Source of the claim: an introduction to the Synthesizer (synthesizer), to Fastformer (fastformer) or to many Transformer variants (variants), or Synthesizer code (code)"`
	Mechanism string            `json:"mechanism" doc:"ID of the mechanism"`
	Options   map[string]string `json:"options,omitempty" doc:"Options with which this program’s mechanism is the one that the source describes"`
	Time      bool              `json:"time" doc:"Whether the claim is about time; otherwise it is about the number of parameters"`
	Formula   string            `json:"formula" doc:"Formula in the source"`
	OneHead   bool              `json:"oneHead,omitempty" doc:"Whether the claim is about a single head, H = 1"`
	// Power is the exponent of N in a time; Log adds a factor log N.
	Power float64 `json:"-"`
	Log   bool    `json:"-"`
	// Note is a key below cost.note.
	Note string `json:"note,omitempty" doc:"Key of the reason why the counted value differs from the claim"`
}

// claimSizes are the sizes at which claims about parameters are evaluated. They are the sizes in the
// implementation that prints its counts.
var claimSizes = Sizes{Length: 512, Width: 64, Heads: 4, Positions: 512}

// Claims are the complexity and parameter tables of the introductions cited as sources, row by row.
var Claims = []Claim{
	{Source: "synthesizer", Mechanism: "dot-product", Formula: "3d²", OneHead: true, Note: "output"},
	{Source: "synthesizer", Mechanism: "dot-product", Formula: "2d²", OneHead: true, Note: "scores"},
	{Source: "synthesizer", Mechanism: "dense", Formula: "dL + d²", OneHead: true, Note: "value"},
	{Source: "synthesizer", Mechanism: "random", Formula: "L²", OneHead: true, Note: "value"},
	{Source: "synthesizer", Mechanism: "factorized-dense", Options: map[string]string{"hidden": "shared"},
		Formula: "d² + d(a + b)", OneHead: true, Note: "value"},
	{Source: "fastformer", Mechanism: "fastformer", Formula: "3Hd² + 2Hd", Note: "width"},
	{Source: "fastformer", Mechanism: "dot-product", Formula: "4Hd²", Note: "width"},
	{Source: "fastformer", Mechanism: "dot-product", Formula: "3Hd² + HNd", Note: "weights"},
	{Source: "fastformer", Mechanism: "fastformer", Time: true, Formula: "Nd", Power: 1, Note: "projections"},
	{Source: "fastformer", Mechanism: "dot-product", Time: true, Formula: "N²d", Power: 2, Note: "projections"},
	{Source: "variants", Mechanism: "shuffle-exchange", Time: true, Formula: "N·log N", Power: 1, Log: true},
	{Source: "variants", Mechanism: "residual-shuffle-exchange", Time: true, Formula: "N·log N", Power: 1, Log: true},
	{Source: "variants", Mechanism: "dot-product", Time: true, Formula: "N²", Power: 2, Note: "projections"},
	{Source: "variants", Mechanism: "reformer", Time: true, Formula: "N", Power: 1, Note: "chunks"},
	{Source: "variants", Mechanism: "reformer", Time: true, Formula: "N·log N", Power: 1, Log: true, Note: "chunks"},
	{Source: "code", Mechanism: "dot-product", Formula: "4d² + 4d"},
	{Source: "code", Mechanism: "random", Formula: "HL² + 2d² + 2d"},
	{Source: "code", Mechanism: "fixed-random", Formula: "2d² + 2d", Note: "stored"},
	{Source: "code", Mechanism: "dense", Formula: "H(d² + d + dL + L) + 2d² + 2d"},
	{Source: "code", Mechanism: "factorized-random", Options: map[string]string{"k": "8"}, Formula: "2HLk + 2d² + 2d"},
	{Source: "code", Mechanism: "factorized-dense", Options: map[string]string{"a": "16"},
		Formula: "H(2d² + 2d + (d + 1)(a + b)) + 2d² + 2d"},
	{Source: "code", Mechanism: "mixture-rv", Options: map[string]string{"mix": "outputs"},
		Formula: "HL² + 2d² + 2d + 4d² + 4d + 2"},
}

// Verdict is a claim with the counted and the measured value.
type Verdict struct {
	Claim
	Claimed  float64  `json:"claimed" doc:"Claimed number of parameters (L = N = 512, d = 64, H = 4), or exponent of N from 2048 to 4096 positions"`
	Counted  float64  `json:"counted" doc:"Same number or exponent, according to this program’s formula"`
	Measured *float64 `json:"measured,omitempty" doc:"Number of parameters of a mixer that was built, or exponent of the measured times; absent until enough times are measured"`
}

// Agrees reports whether the counted value equals the claim; exponents can differ by 0.1.
func (v Verdict) Agrees() bool {
	if v.Time {
		return math.Abs(v.Claimed-v.Counted) <= 0.1
	}
	return v.Claimed == v.Counted
}

// Judge compares the claims with the counted values, and with the measured times where points has
// enough.
func Judge(points []Point) []Verdict {
	all := slices.Clone(counted())
	for i := range all {
		if g, ok := Growth(PointsOf(points, all[i].Mechanism)); ok && all[i].Time {
			all[i].Measured = &g
		}
	}
	return all
}

// counted returns the verdicts without times. It builds the mixers only once.
var counted = sync.OnceValue(func() []Verdict {
	all := make([]Verdict, len(Claims))
	for i, c := range Claims {
		entry, ok := attention.Find(c.Mechanism)
		if !ok {
			panic("costs: no mechanism " + c.Mechanism)
		}
		all[i] = Verdict{Claim: c}
		if c.Time {
			all[i].Claimed, all[i].Counted = c.exponent(), growth(entry, claimSizes.Config(c.Options))
		} else {
			all[i].parameters(entry)
		}
	}
	return all
})

// exponent returns the exponent of N between 2048 and 4096 positions.
func (c Claim) exponent() float64 {
	if c.Log {
		return c.Power + math.Log2(12./11)
	}
	return c.Power
}

// parameters evaluates the formula, counts the parameters, and builds a mixer to measure them.
func (v *Verdict) parameters(e *attention.Entry) {
	c := claimSizes.Config(v.Options)
	if v.OneHead {
		c.Heads = 1
	}
	claimed, err := formula.Value(v.Formula, e.Symbols(c, claimSizes.Length))
	if err != nil {
		panic(err) // the tests parse all formulas
	}
	v.Claimed, v.Counted = claimed, float64(e.Params(c))
	s := nn.NewScope(1).Shapes()
	if _, err := e.New(s, c); err != nil {
		panic(err)
	}
	built := float64(nn.Count(s.Params()))
	v.Measured = &built
}
