package attention

import (
	"attnatlas/engine/ad"
	"attnatlas/engine/citation"
	"attnatlas/engine/messages"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
	"attnatlas/engine/trace"
)

// Poolingformer (Zhang et al. 2021, arXiv:2105.04371, sec. 3) attends twice: first to a window
// around the word, and then, from the result y, to a larger window with pooled keys and values:
//
//	A_ij = softmax_j(q_i·k_j/√d_h),  |i−j| ≤ w₁/2          y_i = [A·V]_i·W_Oᵀ + b_O
//	P_is = softmax_s(q'_i·k̄_s/√d_h),  |i−c_s| ≤ w₂/2       z_i = [P·V̄]_i·W_O'ᵀ + b_O'     output y_i + z_i
//
// Slot s holds the means k̄_s and v̄_s of the keys and values at sξ ≤ j < sξ + κ. Its centre is c_s
// = sξ + (κ−1)/2. Q', K' and V' are computed from y. Parameters: 8d² + 8d.
var Poolingformer = newEntry(Entry{
	ID:      "poolingformer",
	Family:  sparse,
	Formula: `Y = \mathrm{softmax}(\frac{QK^\top}{\sqrt{d_h}})V \text{ in a window} \quad Z = \mathrm{softmax}(\frac{Q'\bar K^\top}{\sqrt{d_h}})\bar V \text{ in a wider one} \quad \bar K, \bar V \text{ pooled from } Y \quad Y + Z`,
	Cost:    "O(N·(w₁ + w₂/ξ)·d)",
	Growth:  1,
	Paper: citation.Paper{
		Authors: "Hang Zhang, Yeyun Gong, Yelong Shen, Weisheng Li, Jiancheng Lv, Nan Duan, Weizhu Chen", Year: 2021,
		Title: "Poolingformer: Long Document Modeling with Pooling Attention", Venue: "ICML", ArXiv: "2105.04371",
		Equations: "sec. 3",
	},
	ParamsFormula: "8d² + 8d",
	FLOPsFormula:  "16Nd² + 4Cd",
	Sizes:         poolingCounts,
	Masks: Masks{
		NoCausal: message("poolingformer.no-causal"),
		NoPairs:  message("poolingformer.no-pairs"),
		EmptyRow: EmptyRow{Padding: UniformRow},
	},
	NoRollout: message("poolingformer.no-rollout"),
	NoSum:     message("poolingformer.no-sum"),
	Cut:       message("poolingformer.cut"),
	Views: []View{
		{Map: "weights", Symbol: "A"},
		{Map: "pooled", Symbol: "P·pool", Apart: true},
		{Map: "slots", Symbol: "P"},
	},
	Options:    poolingOptions,
	Covers:     func(c Config, n int) bool { return poolingOf(c).covers(n) },
	Params:     func(c Config) int { return 8 * linear(c.Width, c.Width) },
	NoJacobian: true,
	FLOPs:      poolingFLOPs,
	New:        newPoolingformer,
})

var poolingOptions = []Option{
	{Name: "window", Symbol: "w₁", Default: "8", Range: Range{From: 2, Step: 2}},
	{Name: "wide-window", Symbol: "w₂", Default: "32", Range: Range{From: 2, Step: 2}},
	{Name: "kernel", Symbol: "κ", Default: "5"},
	{Name: "stride", Symbol: "ξ", Default: "4"},
}

// poolingConfig holds the values of poolingOptions.
type poolingConfig struct {
	Config
	near, far      int // w₁/2, w₂/2
	kernel, stride int // κ, ξ
}

func poolingOf(c Config) poolingConfig {
	o := c.choices(poolingOptions...)
	return poolingConfig{c, o.number("window") / 2, o.number("wide-window") / 2, o.number("kernel"), o.number("stride")}
}

func newPoolingformer(s *nn.Scope, c Config) (Mixer, error) {
	o := poolingOf(c)
	switch {
	case o.kernel < o.stride:
		return nil, messages.Errorf("mixer.kernel", "kernel", o.kernel, "stride", o.stride)
	case 2*o.far < o.kernel:
		return nil, messages.Errorf("mixer.window", "window", 2*o.far, "kernel", o.kernel)
	}
	return &poolingformer{o, newProjections(s, c),
		projections{square(s, "Q'", c), square(s, "K'", c), square(s, "V'", c), square(s, "O'", c)}}, nil
}

type poolingformer struct {
	poolingConfig
	projections
	second projections // projections of the second level
}

// Mix returns the output [B,N,d] for x [B,N,d], from a window and then from pooled keys and values
// of a wider window.
func (m *poolingformer) Mix(p *nn.Pass, x *ad.Var) *ad.Var {
	n, h, scale := x.Dim(-2), m.Heads, m.scale()
	q, k, v := m.qkv(p, x) // [N,d] each
	v = p.Values(v)
	at := layoutOfWords(p, x, h, func(b int) []ad.Pattern { return []ad.Pattern{m.window(p.Mask, b, n)} })
	s := at.Scores(q, k, scale) // cells of [H,N,N]
	a := at.Softmax(s)          // cells of [H,N,N]
	m.showWindow(p, comparison{at, q, k, s, a})
	y := p.Step("y", `Y = (AV)W_O^\top + b_O`, trace.Activation, p.Project(m.o, at.Mix(a, v)), trace.Token,
		trace.Channel) // [N,d]

	slots, keys := m.slots(n), p.Mask.Readable(x.Dim(0), n)
	pool := func(name, tex string, x *ad.Var) *ad.Var {
		return p.Step(name, tex, trace.Activation, ad.MeanPool(x, slots, keys), trace.Slot, trace.HeadChannel) // [S,d]
	}
	q2 := p.Step("q'", `Q' = YW_{Q'}^\top + b_{Q'}`, trace.Activation, m.second.q.Apply(p, y), trace.Token,
		trace.HeadChannel) // [N,d]
	k2 := pool("pooled k", `\bar K = \mathrm{pool}(YW_{K'}^\top + b_{K'})`,
		m.second.k.Apply(p, y)) // [S,d]
	v2 := pool("pooled v", `\bar V = \mathrm{pool}(YW_{V'}^\top + b_{V'})`,
		m.second.v.Apply(p, y)) // [S,d]
	wide := layout(p, x, h, len(slots), func(b int) []ad.Pattern { return []ad.Pattern{m.wideWindow(keys, b, n, slots)} })
	s2 := wide.Scores(q2, k2, scale) // cells of [H,N,S]
	a2 := wide.Softmax(s2)           // cells of [H,N,S]
	m.showSlots(p, wide, s2, a2, slots)
	z := p.Step("z", `Z = (P\bar V)W_{O'}^\top + b_{O'}`, trace.Activation, p.Project(m.second.o, wide.Mix(a2, v2)),
		trace.Token, trace.Channel) // [N,d]
	return ad.Add(y, z)
}

// window returns the pattern of the first level.
func (o poolingConfig) window(mask nn.Mask, b, n int) ad.Pattern {
	return blocks(n, bandBlock(o.near), func(from, to int) []ad.Span {
		return []ad.Span{around(from, to, o.near, n)}
	}, func(q, k int) ad.Cell {
		if !o.isNear(q, k) {
			return ad.Outside
		}
		return forbid(mask, b, q, k)
	})
}

// slots returns the positions of each slot of a text of n tokens.
func (o poolingConfig) slots(n int) []ad.Span {
	var slots []ad.Span
	for from := 0; from < n; from += o.stride {
		slots = append(slots, ad.Span{From: from, To: min(from+o.kernel, n)})
	}
	return slots
}

// isNear reports whether position q attends to position k at the first level.
func (o poolingConfig) isNear(q, k int) bool { return max(q-k, k-q) <= o.near }

// isFar reports whether position q attends to a slot that contains position k.
func (o poolingConfig) isFar(q, k int) bool {
	for s := k / o.stride; s >= 0 && k < s*o.stride+o.kernel; s-- {
		if o.sees(q, s) {
			return true
		}
	}
	return false
}

// covers reports whether each of n positions attends to every other at one of the levels.
func (o poolingConfig) covers(n int) bool {
	for i := range n * n {
		if !o.isNear(i/n, i%n) && !o.isFar(i/n, i%n) {
			return false
		}
	}
	return true
}

// sees reports whether the centre of slot s lies in the second window of position q.
func (o poolingConfig) sees(q, s int) bool {
	twice := 2*(s*o.stride-q) + o.kernel - 1 // 2(c_s − q)
	return max(twice, -twice) <= 2*o.far
}

// wideWindow returns the pattern of the second level: the slots that contain text that is not
// blocked.
func (o poolingConfig) wideWindow(keys []bool, b, n int, slots []ad.Span) ad.Pattern {
	empty := make([]bool, len(slots))
	for s, span := range slots {
		empty[s] = true
		for j := span.From; j < span.To; j++ {
			empty[s] = empty[s] && keys != nil && !keys[b*n+j]
		}
	}
	return blocks(n, bandBlock(o.far/2), func(from, to int) []ad.Span {
		first, last := max((from-o.far-o.kernel)/o.stride, 0), (to+o.far)/o.stride
		return []ad.Span{{From: first, To: min(last+1, len(slots))}}
	}, func(q, s int) ad.Cell {
		switch {
		case !o.sees(q, s):
			return ad.Outside
		case empty[s]:
			return ad.Forbidden
		}
		return ad.Open
	})
}

// showWindow records the maps of the first level.
func (m *poolingformer) showWindow(p *nn.Pass, c comparison) {
	near := func(_, q, k int) bool { return m.isNear(q, k) }
	c.showScores(p, near)
	showCells(p, c.at, trace.Map{Name: "weights", Tex: `A = \mathrm{softmax}(QK^\top/\sqrt{d_h})`, Kind: trace.Probability,
		HeadReach: near}, c.a, trace.Key)
}

// showSlots records the maps of the second level.
func (m *poolingformer) showSlots(p *nn.Pass, wide *ad.Sparse, s, a *ad.Var, slots []ad.Span) {
	sees := func(_, q, s int) bool { return m.sees(q, s) }
	showCells(p, wide, trace.Map{Name: "slot scores", Tex: `S' = Q'\bar K^\top/\sqrt{d_h}`, Kind: trace.Activation,
		HeadReach: sees}, s, trace.Slot)
	showCells(p, wide, trace.Map{Name: "slots", Tex: `P = \mathrm{softmax}(Q'\bar K^\top/\sqrt{d_h})`,
		Kind: trace.Probability, HeadReach: sees}, a, trace.Slot)
	if p.Wants("pooled") {
		m.showPooled(p, wide.Dense(a.Value), slots)
	}
}

// showPooled records the implied map of the second level for pairs of words, P·pool, from its
// weights a2 [H,N,S].
func (m *poolingformer) showPooled(p *nn.Pass, a2 *tensor.T, slots []ad.Span) {
	n, planes, keys := a2.Dim(2), a2.Dim(0)*a2.Dim(1), p.Mask.Readable(a2.Dim(0), a2.Dim(2))
	text := func(b, j int) bool { return keys == nil || keys[b*n+j] }
	pooled := tensor.New(a2.Dim(0), a2.Dim(1), n, n)
	for i := range planes * n {
		for s, span := range slots {
			kept := 0
			for j := span.From; j < span.To; j++ {
				if text(i/n/a2.Dim(1), j) {
					kept++
				}
			}
			for j := span.From; j < span.To; j++ {
				if text(i/n/a2.Dim(1), j) {
					pooled.Data[i*n+j] += a2.Data[i*len(slots)+s] / tensor.Elem(kept)
				}
			}
		}
	}
	far := func(_, q, k int) bool { return m.isFar(q, k) }
	showPattern(p, trace.Map{Name: "pooled", Tex: `P\,\mathrm{pool}`, Kind: trace.Weight, Value: pooled, HeadReach: far},
		trace.Head, trace.Query, trace.Key)
}

func poolingCounts(c Config, n int) []Size {
	return append(optionSizes(poolingOptions)(c, n), Size{"C", poolingOf(c).cells(n), message("poolingformer.size.C")})
}

func poolingFLOPs(c Config, n int) int64 {
	return 16*product64(n, c.Width, c.Width) + 4*product64(poolingOf(c).cells(n), c.Width)
}

// cells returns the number of pairs with attention, between words and between words and slots.
func (o poolingConfig) cells(n int) int {
	cells, slots := 0, (n+o.stride-1)/o.stride
	for q := range n {
		s := around(q, q+1, o.near, n)
		from := max(0, 2*(q-o.far)-o.kernel+2*o.stride) / (2 * o.stride) // first slot that sees allows, then the last
		to := min(max(0, 2*(q+o.far)-o.kernel+1)/(2*o.stride)+1, slots)
		cells += s.To - s.From + max(0, to-from)
	}
	return cells
}
