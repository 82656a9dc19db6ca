package attention

import (
	"fmt"
	"math"

	"attnatlas/engine/ad"
	"attnatlas/engine/citation"
	"attnatlas/engine/nn"
	"attnatlas/engine/trace"
)

// ResidualShuffleExchange is the Residual Shuffle-Exchange network (Draguns, Ozoliņš, Šostaks,
// Apinis and Freivalds 2020, arXiv:2004.04662, sec. 3, eq. 1–4). It is the network of
// ShuffleExchange with m−1 stages in each half of a block, and a switch without gates and without a
// swap. The switch adds a small update to the pair z of two neighbouring places:
//
//	a = u/√(mean u² + 10⁻¹⁰),  u = 2(zC_1 − mean(zC_1)) + o    C_1 [2d → 4d], means over the pairs of the text
//	y = σ(2ρ)∘z + h·(GELU(a)·C_2 + b_2)                        C_2 [4d → 2d], h = ¼√(1 − 0.9²)
//
// A switch with f features has 16f² + 8f parameters. B blocks have 2B+1 switches if each half of a
// block shares one. With f < d, one projection leads into the network and another out of it.
var ResidualShuffleExchange = newEntry(Entry{
	ID:      "residual-shuffle-exchange",
	Family:  switching,
	Texts:   networkTexts("residual-shuffle-exchange"),
	Formula: `y = \sigma(2\rho)\circ z + h\,\mathrm{GELU}(\mathrm{norm}(zC_1))C_2 \quad \text{then shuffle; } \log_2 N - 1 \text{ times there and back}`,
	Cost:    "O(N·log N·d²)",
	Growth:  1,
	Paper: citation.Paper{
		Authors: "Andis Draguns, Emīls Ozoliņš, Agris Šostaks, Matīss Apinis, Kārlis Freivalds", Year: 2021,
		Title: "Residual Shuffle-Exchange Networks for Fast Processing of Long Sequences", Venue: "AAAI", ArXiv: "2004.04662",
		Equations: "sec. 3, eq. 1–4",
	},
	ParamsFormula: "(2B + 1)(16f² + 8f)" + bottleneckParams,
	FLOPsFormula:  "16(2(m − 1)B + 1)2ᵐf²" + bottleneckFLOPs,
	Sizes:         networkSizes(residualOptions),
	Masks:         networkMasks,
	Views: append(networkViews(),
		View{Map: "activity", Symbol: "Δ"}),
	Planes:    func(c Config, n int) int { return 4*bitsFor(n)*residualOf(c).blocks + 1 },
	NoWeights: message("shared.network.no-weights"),
	NoRollout: message("shared.network.no-rollout"),
	NoValues:  message("shared.network.no-values"),
	NoSum:     message("shared.network.no-values"),
	NoHeads:   message("shared.network.no-heads"),
	Cut:       message("shared.network.cut"),
	Options:   residualOptions,
	Params: func(c Config) int {
		o := residualOf(c)
		return o.count()*(16*o.features*o.features+8*o.features) + bottleneckParameters(c.Width, o.features)
	},
	NoJacobian: true,
	FLOPs: func(c Config, n int) int64 {
		m, o := bitsFor(n), residualOf(c)
		return 16*product64(2*(m-1)*o.blocks+1, 1<<m, o.features, o.features) + bottleneckCost(c.Width, o.features, n)
	},
	PerPosition: func(c Config) bool { return residualOf(c).sharing == "none" }, // then there is one switch per stage
	New: func(s *nn.Scope, c Config) (Mixer, error) {
		o := residualOf(c)
		m := &residualShuffle{o, map[string]residualSwitch{}, newBottleneck(s, c.Width, o.features)}
		typical := 3 // with this many bits, every switch has a stage
		if m.sharing == "none" {
			typical = m.bits
		}
		for _, st := range m.plan(typical) {
			if _, ok := m.switches[st.name]; !ok {
				m.switches[st.name] = newResidualSwitch(s.In(st.name), o.features)
			}
		}
		return m, nil
	},
})

var residualOptions = []Option{
	blocksOption, featuresOption,
	{Name: "sharing", Default: "half", Values: []string{"all", "half", "position", "none"}},
}

// residualConfig holds the values of residualOptions.
type residualConfig struct {
	blocks   int
	sharing  string
	bits     int // m for the longest text
	features int
}

func residualOf(c Config) residualConfig {
	o := c.choices(residualOptions...)
	return residualConfig{o.number("blocks"), o.text("sharing"), bitsFor(c.Length), networkFeatures(c, residualOptions)}
}

// count returns the number of switches with parameters of their own.
func (o residualConfig) count() int {
	switch o.sharing {
	case "all":
		return 3
	case "position":
		return 4*o.blocks + 1
	case "none":
		return 2*(o.bits-1)*o.blocks + 1
	}
	return 2*o.blocks + 1
}

type residualShuffle struct {
	residualConfig
	switches map[string]residualSwitch
	around   bottleneck
}

// plan returns the stages of the network on 2^m places. A half of a block has m−1 stages.
func (o residualConfig) plan(m int) []stage {
	var plan []stage
	for b := range o.blocks {
		for t := range 2 * (m - 1) {
			half, shuffle, first := "forward", rotateLeft, "first"
			if t >= m-1 {
				half, shuffle, first = "reverse", rotateRight, "middle"
			}
			name := fmt.Sprintf("block %d %s", b+1, half)
			switch {
			case o.sharing == "all":
				name = half
			case o.sharing == "none":
				name = fmt.Sprintf("%s %d", name, mirrored(t, m-1)+1)
			case o.sharing == "position" && t%(m-1) == 0:
				name = fmt.Sprintf("block %d %s", b+1, first)
			}
			plan = append(plan, stage{name, shuffle, t})
		}
	}
	return append(plan, stage{name: "last"})
}

// mirrored numbers the stages of both halves from the outside to the middle.
func mirrored(t, half int) int {
	if t < half {
		return t
	}
	return 2*half - 1 - t
}

// Mix returns the output [B,N,d] for x [B,N,d], from a residual shuffle-exchange network.
func (n *residualShuffle) Mix(p *nn.Pass, x *ad.Var) *ad.Var {
	m, r := bitsFor(x.Dim(1)), newRecorder(p)
	start := enter(p, n.around.into(p, x), m) // [2^m,f]
	y := network(r, start, x.Dim(1), n.plan(m), func(s stage, x *ad.Var) *ad.Var {
		return n.switches[s.name].apply(r, x, s.permutation(m)) // [2^m,f]
	})
	r.show("added", `h(\mathrm{GELU}(a)C_2 + b_2)`, trace.Activation)
	r.showPlaces("activity", `\lVert h(\ldots) \rVert / \lVert y \rVert`, trace.Weight, func() *ad.Var {
		added, whole := rowLengths(r.stack("added")), rowLengths(r.stack("switched"))
		share := added.Value.Clone()
		for i, l := range whole.Value.Data {
			if l > 0 {
				share.Data[i] /= l
			}
		}
		return r.Tape.Derive(share, func(i int) ad.Origin {
			if whole.Value.Data[i] == 0 {
				return ad.Nothing()
			}
			return ad.Origin{Operation: ad.Quotient, X: ad.Several(added, i, 1, 1), Y: ad.Several(whole, i, 1, 1)}
		})
	})
	return n.around.outOf(p, y)
}

// residualWeight is the initial weight σ(2ρ) of z. The weight h of the update, candidateWeight,
// follows from it.
const residualWeight = 0.9

var candidateWeight = ad.Elem(0.25 * math.Sqrt(1-residualWeight*residualWeight))

// residualSwitch is the switch of the residual network, for pairs of places.
type residualSwitch struct {
	c1, c2     *nn.Param // [4d,2d], [2d,4d]
	offset, b2 *nn.Param // o [4d], [2d]
	rho        *nn.Param // [2d]
}

func newResidualSwitch(s *nn.Scope, d int) residualSwitch {
	return residualSwitch{
		c1: s.Param("C_1", uniform(2*d, 4*d), 4*d, 2*d), offset: s.Param("o", nn.Zeros, 4*d),
		c2: s.Param("C_2", uniform(4*d, 2*d), 2*d, 4*d), b2: s.Param("b_2", nn.Zeros, 2*d),
		rho: s.Param("rho", nn.Constant(math.Log(residualWeight/(1-residualWeight))/2), 2*d),
	}
}

// apply applies the switch and the shuffle after it: x [n,d] → [n,d], where row i comes from row
// from[i].
func (w residualSwitch) apply(r *recorder, x *ad.Var, from []int) *ad.Var {
	p := r.Pass
	y, a := ad.ResidualSwitch{
		C1: p.Use(w.c1), Offset: p.Use(w.offset), C2: p.Use(w.c2), B2: p.Use(w.b2), Rho: p.Use(w.rho), H: candidateWeight,
	}.Apply(x, from)
	if r.Watched() {
		c := ad.Scale(ad.Linear(ad.QuickGELU(a), p.Use(w.c2), p.Use(w.b2)), candidateWeight) // [n/2,2d]
		r.keep("added", ad.Reshape(c, x.Shape()...))                                         // [n,d]
	}
	return y
}
