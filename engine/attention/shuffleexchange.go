package attention

import (
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"

	"attnatlas/engine/ad"
	"attnatlas/engine/citation"
	"attnatlas/engine/messages"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
	"attnatlas/engine/trace"
)

// ShuffleExchange is the Neural Shuffle-Exchange network (Freivalds, Ozoliņš and Šostaks 2019,
// arXiv:1907.07897, sec. 3–4, eq. 1–5). It has no pairs of words and no attention weights. The
// words are placed on n = 2^m places. Switches transform the pairs of neighbouring places, and a
// shuffle makes other places neighbours. After m stages, every place can depend on every word. A
// block has m stages with one shuffle and m with its inverse (a Beneš network). One switch follows
// at the end.
//
//	s = x + e∘ρ                       x the pair, e the input of this stage in the block before (0 in the first)
//	c = tanh([W_c1(σ(W_r1 s + b_r1 + ½)∘s) + b_c1 ; W_c2(σ(W_r2 s + b_r2 + ½)∘s) + b_c2])
//	g = σ(W_g s + b_g + ½)            y = g∘swap(x) + (1−g)∘c
//
// The network starts from tanh(X). It has (2B+1)(16f² + 9f) parameters for B blocks and f features:
// all stages of a half block share their switch. With fewer features than the model has, f < d, one
// projection leads into the network and another out of it.
var ShuffleExchange = newEntry(Entry{
	ID:      "shuffle-exchange",
	Family:  switching,
	Texts:   networkTexts("shuffle-exchange"),
	Formula: `y = g\circ\mathrm{swap}(x) + (1 - g)\circ\tanh(W(r\circ s)) \quad \text{then shuffle; } \log_2 N \text{ times there and back}`,
	Cost:    "O(N·log N·d²)",
	Growth:  1,
	Paper: citation.Paper{
		Authors: "Kārlis Freivalds, Emīls Ozoliņš, Agris Šostaks", Year: 2019,
		Title: "Neural Shuffle-Exchange Networks – Sequence Processing in O(n log n) Time", Venue: "NeurIPS",
		ArXiv: "1907.07897", Equations: "sec. 3–4, eq. 1–5",
	},
	ParamsFormula: "(2B + 1)(16f² + 9f)" + bottleneckParams,
	FLOPsFormula:  "16(2mB + 1)2ᵐf²" + bottleneckFLOPs,
	Sizes:         networkSizes(shuffleOptions),
	Masks:         networkMasks,
	Views: append(networkViews(),
		View{Map: "gate", Symbol: "g"}),
	Planes:    func(c Config, n int) int { return 4*bitsFor(n)*shuffleBlocks(c) + 1 },
	NoWeights: message("shared.network.no-weights"),
	NoRollout: message("shared.network.no-rollout"),
	NoValues:  message("shared.network.no-values"),
	NoSum:     message("shared.network.no-values"),
	NoHeads:   message("shared.network.no-heads"),
	Cut:       message("shared.network.cut"),
	Options:   shuffleOptions,
	Params: func(c Config) int {
		f := networkFeatures(c, shuffleOptions)
		return (2*shuffleBlocks(c)+1)*(16*f*f+9*f) + bottleneckParameters(c.Width, f)
	},
	NoJacobian: true,
	FLOPs: func(c Config, n int) int64 {
		m, f := bitsFor(n), networkFeatures(c, shuffleOptions)
		return 16*product64(2*m*shuffleBlocks(c)+1, 1<<m, f, f) + bottleneckCost(c.Width, f, n)
	},
	New: func(s *nn.Scope, c Config) (Mixer, error) {
		f := networkFeatures(c, shuffleOptions)
		m := &shuffleExchange{switches: map[string]gatedSwitch{}, blocks: shuffleBlocks(c),
			around: newBottleneck(s, c.Width, f)}
		for _, st := range m.plan(1) {
			m.switches[st.name] = newGatedSwitch(s.In(st.name), f)
		}
		return m, nil
	},
})

var shuffleOptions = []Option{blocksOption, featuresOption}

func shuffleBlocks(c Config) int { return c.choices(shuffleOptions...).number("blocks") }

type shuffleExchange struct {
	switches map[string]gatedSwitch
	blocks   int
	around   bottleneck
}

// plan returns the stages of the network on 2^m places.
func (n *shuffleExchange) plan(m int) []stage {
	var plan []stage
	for b := range n.blocks {
		for t := range m {
			plan = append(plan, stage{fmt.Sprintf("block %d forward", b+1), rotateLeft, t})
		}
		for t := range m {
			plan = append(plan, stage{fmt.Sprintf("block %d reverse", b+1), rotateRight, m + t})
		}
	}
	return append(plan, stage{name: "last", level: 2 * m})
}

// Mix returns the output [B,N,d] for x [B,N,d], from a shuffle-exchange network.
func (n *shuffleExchange) Mix(p *nn.Pass, x *ad.Var) *ad.Var {
	m, r := bitsFor(x.Dim(1)), newRecorder(p)
	start := ad.QuickTanh(enter(p, n.around.into(p, x), m)) // [2^m,f]
	before := make([]*ad.Var, 2*m+1)                        // input of the stage in the block before; nil: zeros
	y := network(r, start, x.Dim(1), n.plan(m), func(s stage, x *ad.Var) *ad.Var {
		e := before[s.level]
		before[s.level] = x
		if s.shuffle == nil {
			e = x
		}
		return n.switches[s.name].apply(r, x, e, s.permutation(m)) // [2^m,f]
	})
	r.show("gate logits", `W_gs + b_g + \tfrac12`, trace.Activation)
	r.show("gates", `g = \sigma(W_gs + b_g + \tfrac12)`, trace.Gate)
	r.showPlaces("gate", `\tfrac1d\sum_f g_f`, trace.Gate, func() *ad.Var { return rowMeans(r.stack("gates")) })
	r.show("swapped", `\mathrm{swap}(x)`, trace.Activation)
	r.show("candidates", `c`, trace.Activation)
	return n.around.outOf(p, y)
}

// gatedSwitch is the switch of the original network, for pairs of places.
type gatedSwitch struct {
	reset1, reset2 nn.Linear // [2d,2d]
	cand1, cand2   nn.Linear // [d,2d]
	gate           nn.Linear // [2d,2d]
	rho            *nn.Param // [d]
}

func newGatedSwitch(s *nn.Scope, d int) gatedSwitch {
	return gatedSwitch{
		reset1: glorot(s, "r1", 2*d, 2*d), reset2: glorot(s, "r2", 2*d, 2*d),
		cand1: glorot(s, "c1", 2*d, d), cand2: glorot(s, "c2", 2*d, d),
		gate: glorot(s, "g", 2*d, 2*d), rho: s.Param("rho", nn.Constant(0.5), d),
	}
}

// apply applies the switch and the shuffle after it: x, e [n,d] → [n,d], where row i comes from row
// from[i].
func (w gatedSwitch) apply(r *recorder, x, e *ad.Var, from []int) *ad.Var {
	use := func(l nn.Linear) ad.Affine { return ad.Affine{W: r.Use(l.W), B: r.Use(l.B)} }
	y, g, c := ad.GatedSwitch{
		Reset1: use(w.reset1), Reset2: use(w.reset2), Gate: use(w.gate), Cand1: use(w.cand1), Cand2: use(w.cand2),
		Rho: r.Use(w.rho),
	}.Apply(x, e, from)
	if r.Watched() {
		r.keep("gate logits", w.logits(r.Pass, x, e))
		r.keep("gates", g)
		r.keep("candidates", c)
		r.keep("swapped", ad.SwapPairs(x, x.Dim(-1)/2))
	}
	return y
}

// logits returns W_g s + b_g + ½ [n,d].
func (w gatedSwitch) logits(p *nn.Pass, x, e *ad.Var) *ad.Var {
	s, half := x, tensor.New(2*x.Dim(2))
	if e != nil {
		s = ad.Add(x, ad.ScaleColumns(e, p.Use(w.rho)))
	}
	nn.Constant(0.5)(nil, half)
	pairs := ad.Reshape(s, x.Dim(0), x.Dim(1)/2, 2*x.Dim(2))
	return ad.Reshape(ad.AddScalars(w.gate.Apply(p, pairs), half), x.Shape()...)
}

// The parts that both shuffle-exchange networks share.

// stage is one layer of a network on n = 2^m places: switches transform the pairs of places (2t,
// 2t+1), then place i takes the value of place shuffle(i).
type stage struct {
	name    string                // name of the switch; stages with the same name share its parameters
	shuffle func(i, bits int) int // nil for the last stage
	level   int                   // the same stage of another block has the same level
}

// rotateLeft moves the highest of m bits to the lowest position. As a shuffle, it brings the places
// with even numbers to the front half and those with odd numbers to the back half.
func rotateLeft(i, m int) int { return i<<1&(1<<m-1) | i>>(m-1) }

// rotateRight is the inverse of rotateLeft: the perfect shuffle of two halves.
func rotateRight(i, m int) int { return i>>1 | i&1<<(m-1) }

// bitsFor returns the smallest m so that n tokens fit into 2^m places, with at least one pair.
func bitsFor(n int) int { return max(bits.Len(uint(n-1)), 1) }

// permutation returns the place from which each place takes its value; nil for the last stage,
// which moves nothing.
func (s stage) permutation(m int) []int {
	if s.shuffle == nil {
		return nil
	}
	from := make([]int, 1<<m)
	for i := range from {
		from[i] = s.shuffle(i, m)
	}
	return from
}

// bottleneck holds the projections into a network with fewer features than the model, and out of
// it.
type bottleneck struct{ in, out *nn.Linear } // [f,d] and [d,f]; nil: the network has all features

func newBottleneck(s *nn.Scope, d, f int) bottleneck {
	if f == d {
		return bottleneck{}
	}
	in, out := nn.NewLinear(s, "in", d, f), nn.NewLinear(s, "out", f, d)
	return bottleneck{&in, &out}
}

// into maps x [N,d] → [N,f].
func (b bottleneck) into(p *nn.Pass, x *ad.Var) *ad.Var {
	if b.in == nil {
		return x
	}
	return p.Step("features", `XW_{in}^\top + b_{in}`, trace.Activation, b.in.Apply(p, x), trace.Token, trace.Channel)
}

// outOf maps y [N,f] → [N,d].
func (b bottleneck) outOf(p *nn.Pass, y *ad.Var) *ad.Var {
	if b.out == nil {
		return y
	}
	return b.out.Apply(p, y)
}

// bottleneckParams and bottleneckFLOPs are the formulas of the parameters and operations of both
// projections. They are 0 for f = d.
const (
	bottleneckParams = " + min(1, d − f)(2d·f + d + f)"
	bottleneckFLOPs  = " + min(1, d − f)·4N·d·f"
)

func bottleneckParameters(d, f int) int {
	if f == d {
		return 0
	}
	return linear(d, f) + linear(f, d)
}

func bottleneckCost(d, f, n int) int64 {
	if f == d {
		return 0
	}
	return 4 * product64(n, d, f)
}

// enter places the text on 2^m places: x [N,d] → [2^m,d]. Places without a token are zero, and so
// are padding and blocked tokens.
func enter(p *nn.Pass, x *ad.Var, m int) *ad.Var {
	n, lists := x.Dim(1), 1
	keys := p.Mask.Readable(x.Dim(0), n)
	if keys != nil {
		lists = x.Dim(0)
	}
	at := make([][]int, lists)
	for b := range at {
		at[b] = make([]int, 1<<m)
		for i := range at[b] {
			at[b][i] = ad.Absent
			if i < n && (keys == nil || keys[b*n+i]) {
				at[b][i] = i
			}
		}
	}
	return ad.GatherRows(x, at)
}

// network runs the stages on x [2^m,d]. The function exchange applies the switch of a stage and its
// shuffle. The result has only the rows of the n tokens.
func network(r *recorder, x *ad.Var, n int, plan []stage, exchange func(s stage, x *ad.Var) *ad.Var) *ad.Var {
	m := bitsFor(x.Dim(1))
	for _, s := range plan {
		x = r.stage(func() *ad.Var { return exchange(s, x) }) // [2^m,d]
		if r.Watched() {
			r.keepShuffled(x, s.permutation(m))
		}
	}
	if r.Watched() {
		showWiring(r.Pass, m, n, plan)
	}
	r.show("switched", `y_s`, trace.Activation)
	r.show("shuffled", `y_s(\pi_s(i))`, trace.Activation)
	return ad.Narrow(x, -2, n) // [n,d]
}

// networkSizes returns the sizes of a network: its blocks, its features, and m.
func networkSizes(options []Option) func(c Config, n int) []Size {
	return func(c Config, n int) []Size {
		sizes := append(optionSizes(options)(c, n), Size{"m", bitsFor(n), message("shared.network.places")})
		for i, s := range sizes {
			if s.Symbol == featuresOption.Symbol {
				sizes[i].Value = networkFeatures(c, options)
			}
		}
		return sizes
	}
}

// blocksOption and featuresOption are the options of both networks.
var (
	blocksOption = Option{Name: "blocks", Symbol: "B", Default: "1", Range: Range{To: 64},
		Help: message("shared.network.blocks")}
	featuresOption = Option{Name: "features", Symbol: "f", Default: "all", Range: Range{From: 2, Step: 2},
		Help: message("shared.network.features")}
)

// networkFeatures returns f, which never exceeds the width of the model.
func networkFeatures(c Config, options []Option) int {
	if f := c.choices(options...).number("features"); f > 0 {
		return min(f, c.Width)
	}
	return c.Width
}

// networkTexts returns the differences from the paper: those of one network, and those that both networks have.
func networkTexts(id string) Texts {
	return Texts{Differences: messages.Join("\n", message(id+".differences"), message("shared.network.differences"))}
}

// networkMasks are the masks of both networks.
var networkMasks = Masks{
	NoCausal: message("shared.network.no-causal"),
	NoPairs:  message("shared.network.no-pairs"),
	EmptyRow: EmptyRow{Padding: ZeroInput, Text: message("shared.network.empty-row")},
}

// networkViews returns the maps that every shuffle-exchange network has.
func networkViews() []View {
	return []View{
		{Map: "meeting", Symbol: "s", Caption: message("shared.network.meeting"), Apart: true},
		{Map: "reach", Symbol: "ρ", Caption: message("shared.network.reach"), Apart: true},
		{Map: "wiring", Symbol: "π", Caption: message("shared.network.wiring"), Apart: true},
	}
}

// uniform draws from the interval that preserves the variance through a layer of these widths
// (Glorot and Bengio 2010, eq. 16), as in the code of both papers. Without a residual stream around
// them, switches with small weights would lose all information.
func uniform(in, out int) nn.Init {
	limit := math.Sqrt(6 / float64(in+out))
	return func(r *rand.Rand, t *tensor.T) {
		for i := range t.Data {
			t.Data[i] = tensor.Elem((2*r.Float64() - 1) * limit)
		}
	}
}

// glorot is nn.NewLinear with initial weights from uniform.
func glorot(s *nn.Scope, name string, in, out int) nn.Linear {
	return nn.Linear{W: s.Param("W_"+name, uniform(in, out), out, in), B: s.Param("b_"+name, nn.Zeros, out)}
}
