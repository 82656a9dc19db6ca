package attention

import (
	"fmt"
	"math"

	"attnatlas/engine/ad"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
	"attnatlas/engine/trace"
)

// ResidualShuffleExchange is the Residual Shuffle-Exchange network (Draguns, Ozoliņš, Šostaks, Apinis and
// Freivalds 2020, arXiv:2004.04662, sec. 3, eq. 1–4): the network of ShuffleExchange with m−1 stages
// in each half of a block, whose switch has no gates and no swap. It adds a little of something
// new to the pair z of two neighbouring places:
//
//	a = u/√(mean u² + 10⁻¹⁰),  u = 2(zC_1 − mean(zC_1)) + o    C_1 [2d → 4d], means over the pairs of the text
//	y = σ(2ρ)∘z + h·(GELU(a)·C_2 + b_2)                        C_2 [4d → 2d], h = ¼√(1 − 0.9²)
//
// Parameters of a switch 16d² + 8d; 2B+1 switches for B blocks when each half of a block shares one.
var ResidualShuffleExchange = Entry{
	ID:      "residual-shuffle-exchange",
	Name:    "Residual Shuffle-Exchange",
	Summary: "No attention: pairs of neighbouring places change each other a little, and shuffles change who is neighbour to whom.",
	Formula: `y = \sigma(2\rho)\circ z + h\,\mathrm{GELU}(\mathrm{norm}(zC_1))C_2 \quad \text{then shuffle; } \log_2 N - 1 \text{ times there and back}`,
	Cost:    "O(N·log N·d²)",
	Growth:  1,
	Paper: Paper{
		Authors: "Draguns, Ozoliņš, Šostaks, Apinis, Freivalds", Year: 2021,
		Title: "Residual Shuffle-Exchange Networks for Fast Processing of Long Sequences", Venue: "AAAI", ArXiv: "2004.04662", Equations: "sec. 3, eq. 1–4",
	},
	ParamsFormula: "(2B + 1)(16d² + 8d)",
	FLOPsFormula:  "16(2(m − 1)B + 1)2ᵐd²",
	Sizes:         wiringSizes(residualKnobs),
	Differences: []string{
		"The normalisation is that of the authors’ code – over the positions of the text, not over features, and with the factor 2 – so that every word has some influence on every other from the first stage on, beyond the wiring.",
		"GELU is its logistic form.",
		"There is no dropout and no noise.",
		"A text is followed by zeros up to the next power of two, and padding counts as zeros: the switches compute with them.",
	},
	Masks: wiringMasks,
	Views: append(wiringViews(),
		View{Map: "activity", Symbol: "Δ", Caption: "length of what the switch adds to a place, as a share of the length of the result"}),
	NoWeights: "The network has no attention weights: switches transform pairs of places.",
	NoRollout: "Rollout multiplies attention weights of layers, and a shuffle-exchange network has none.",
	Knobs:     residualKnobs,
	New: func(s *nn.Scope, c Config) (Mixer, error) {
		if err := c.check(residualKnobs...); err != nil {
			return nil, err
		}
		m := &residualShuffle{switches: map[string]residualSwitch{}, blocks: c.number(residualKnobs, "blocks"), sharing: c.knob(residualKnobs, "sharing")}
		typical := 3 // with as many bits every switch has a stage
		if m.sharing == "none" {
			typical = bitsFor(c.Length)
		}
		for _, st := range m.plan(typical) {
			if _, ok := m.switches[st.name]; !ok {
				m.switches[st.name] = newResidualSwitch(s.In(st.name), c.Width)
			}
		}
		return m, nil
	},
	Params: func(c Config) int { return residualSwitches(c) * (16*c.Width*c.Width + 8*c.Width) },
	FLOPs: func(c Config, n int) int {
		blocks := c.number(residualKnobs, "blocks")
		m := bitsFor(n)
		return (2*(m-1)*blocks + 1) * 16 << m * c.Width * c.Width
	},
}

var residualKnobs = []Knob{
	{Name: "blocks", Symbol: "B", Default: "1", Help: "Beneš blocks one after the other."},
	{Name: "sharing", Default: "half", Values: []string{"all", "half", "position", "none"},
		Help: "Which stages share a switch. half: those of each half of a block. all: those of the same half of all blocks. position: as half, but the first and the middle have their own. none: each stage has its own, of which a shorter text uses the first of each half."},
}

// residualSwitches counts the switches with parameters of their own.
func residualSwitches(c Config) int {
	blocks := c.number(residualKnobs, "blocks")
	switch c.knob(residualKnobs, "sharing") {
	case "all":
		return 3
	case "position":
		return 4*blocks + 1
	case "none":
		return 2*(bitsFor(c.Length)-1)*blocks + 1
	}
	return 2*blocks + 1
}

type residualShuffle struct {
	switches map[string]residualSwitch
	blocks   int
	sharing  string
}

// plan is the network on 2^m places. A half of a block has m−1 stages.
func (n *residualShuffle) plan(m int) []stage {
	var plan []stage
	for b := range n.blocks {
		for t := range 2 * (m - 1) {
			half, shuffle, first := "forward", rotateLeft, "first"
			if t >= m-1 {
				half, shuffle, first = "reverse", rotateRight, "middle"
			}
			name := fmt.Sprintf("block %d %s", b+1, half)
			switch {
			case n.sharing == "all":
				name = half
			case n.sharing == "none":
				name = fmt.Sprintf("%s %d", name, mirrored(t, m-1)+1)
			case n.sharing == "position" && t%(m-1) == 0:
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

func (n *residualShuffle) Mix(p *nn.Pass, x *ad.Var) *ad.Var {
	m, film := bitsFor(x.Dim(1)), newFilm(p)
	y := network(film, enter(p, x, m), x.Dim(1), n.plan(m), func(s stage, x *ad.Var) *ad.Var {
		return n.switches[s.name].apply(p, film, x) // [2^m,d]
	})
	film.show("added", `h(\mathrm{GELU}(a)C_2 + b_2)`, trace.Activation)
	film.showShare("added", "switched", "activity", `\lVert h(\ldots) \rVert / \lVert y \rVert`)
	return y
}

// How much of the old and of the new a switch begins with.
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
		rho: s.Param("rho", constant(math.Log(residualWeight/(1-residualWeight))/2), 2*d),
	}
}

// apply is the switch: x [n,d] → [n,d].
func (w residualSwitch) apply(p *nn.Pass, f *film, x *ad.Var) *ad.Var {
	b, n, d := x.Dim(0), x.Dim(1), x.Dim(2)
	z := ad.Reshape(x, b, n/2, 2*d)                                                // [n/2,2d]
	a := ad.NormColumns(ad.Linear(z, p.Use(w.c1), nil), p.Use(w.offset), 2, 1e-10) // [n/2,4d]
	keep := ad.Sigmoid(ad.Scale(p.Use(w.rho), 2))                                  // [2d]
	return f.pairs(x, func(from, to int) *ad.Var {
		z, a, n := ad.Slice(z, -2, from/2, to/2), ad.Slice(a, -2, from/2, to/2), to-from
		c := ad.Scale(ad.Linear(ad.QuickGELU(a), p.Use(w.c2), p.Use(w.b2)), candidateWeight) // [n/2,2d]
		c = f.keep("added", ad.Reshape(c, b, n, d))                                          // [n,d]
		return ad.Add(ad.Reshape(ad.ScaleColumns(z, keep), b, n, d), c)                      // [n,d]
	})
}

// showShare shows the length of one value at each place as a share of another's: [S,n].
func (f *film) showShare(part, whole, as, tex string) {
	parts, wholes := f.frames[part], f.frames[whole]
	if len(parts) == 0 {
		return
	}
	b, n := parts[0].Dim(0), parts[0].Dim(1)
	t, length := tensor.New(b, len(parts), n), make([]tensor.Elem, n)
	for i := range b {
		for s := range parts {
			share := t.Sub(i).Sub(s).Data
			norms(share, parts[s].Sub(i).Data)
			norms(length, wholes[s].Sub(i).Data)
			for at, l := range length {
				if l > 0 {
					share[at] /= l
				}
			}
		}
	}
	f.p.Show(trace.Map{Name: as, Tex: tex, Kind: trace.Weight, Value: t, Axes: []trace.Axis{{Role: trace.Stage}, place}})
}
