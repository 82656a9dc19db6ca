package attention

import (
	"math"

	"attnatlas/engine/ad"
	"attnatlas/engine/citation"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
	"attnatlas/engine/trace"
)

// Linformer (Wang et al. 2020, arXiv:2006.04768, sec. 4, eq. 7) compresses the N keys and values
// along the text into k slots, and attends to the slots:
//
//	K' = EᵀK    V' = FᵀV    P_a = softmax(Q_a·K'_aᵀ/√d_h)    Y = [P_1·V'_1 … P_H·V'_H]·W_Oᵀ + b_O
//
// E and F are [L,k]; a text of N tokens uses their first N rows. The implied map of words by words
// is P·Fᵀ: its rows do not sum to 1, and its cells can be negative. Parameters: 4d² + d + 2Lk with
// the default options.
var Linformer = newEntry(Entry{
	ID:      "linformer",
	Family:  summarising,
	Formula: `P = \mathrm{softmax}(\frac{Q(E^\top K)^\top}{\sqrt{d_h}}) \quad Y = P(F^\top V)`,
	Cost:    "O(N·k·d)",
	Growth:  1,
	Paper: citation.Paper{
		Authors: "Sinong Wang, Belinda Z. Li, Madian Khabsa, Han Fang, Hao Ma", Year: 2020,
		Title: "Linformer: Self-Attention with Linear Complexity", Venue: "arXiv", ArXiv: "2006.04768",
		Equations: "sec. 4, eq. 7",
	},
	ParamsFormula: "4d² + d + 2Lk",
	FLOPsFormula:  "8Nd² + 8Nk·d",
	State:         "2kd",
	Sizes:         optionSizes(linformerOptions),
	Masks: Masks{
		NoCausal: message("linformer.no-causal"),
		NoPairs:  message("linformer.no-pairs"),
		EmptyRow: EmptyRow{Padding: ZeroRow},
	},
	NoRollout: message("linformer.no-rollout"),
	Cut:       message("linformer.cut"),
	Views: []View{
		{Map: "implied", Symbol: "PFᵀ"},
		{Map: "weights", Symbol: "P"},
		{Map: "scores", Symbol: "S"},
		{Map: "E", Symbol: "E"},
		{Map: "F", Symbol: "F"},
	},
	Options:     linformerOptions,
	Covers:      func(c Config, n int) bool { return n <= linformerOf(c).slots },
	Params:      func(c Config) int { return linformerOf(c).params() },
	FLOPs:       func(c Config, n int) int64 { return linformerOf(c).flops(n) },
	New:         newLinformer,
	PerPosition: everyPosition,
})

var linformerOptions = []Option{
	{Name: "slots", Symbol: "k", Default: "16"},
	{Name: "order", Default: "project-first", Values: []string{"project-first", "compress-first"}},
	{Name: "compression", Default: "separate", Values: []string{"separate", "shared", "layer-wise"}},
	{Name: "values", Default: "own", Values: []string{"own", "keys"}},
	{Name: "kv-heads", Default: "all", Values: []string{"all", "one"}},
}

// linformerConfig holds the values of linformerOptions.
type linformerConfig struct {
	Config
	slots, keyWidth int    // k, and the width of keys and values, d or d_h
	compressFirst   bool   // compress the text instead of its keys and values
	ownValues       bool   // values differ from the keys
	compression     string // "separate", "shared", "layer-wise"
}

func linformerOf(c Config) linformerConfig {
	o := c.choices(linformerOptions...)
	l := linformerConfig{c, o.number("slots"), c.Width, o.is("order", "compress-first"), o.is("values", "own"),
		o.text("compression")}
	if o.is("kv-heads", "one") {
		l.keyWidth = c.HeadWidth()
	}
	return l
}

func newLinformer(s *nn.Scope, c Config) (Mixer, error) {
	m := &linformer{linformerConfig: linformerOf(c)}
	matrix := func(name string, out int) nn.Linear {
		if m.compressFirst {
			return nn.NewLinear(s, name, c.Width, out)
		}
		return nn.Linear{W: s.Param("W_"+name, nn.Normal(nn.Std), out, c.Width)}
	}
	m.q, m.k = matrix("Q", c.Width), matrix("K", m.keyWidth)
	m.v = m.k
	if m.ownValues {
		m.v = matrix("V", m.keyWidth)
	}
	entries, of := nn.Normal(1/math.Sqrt(float64(m.slots))), s // sec. 4: entries with variance 1/k
	if m.compression == "layer-wise" {
		of = s.Shared("linformer")
	}
	m.e = of.Param("E", entries, c.Length, m.slots)
	m.f = m.e
	if m.compression == "separate" {
		m.f = s.Param("F", entries, c.Length, m.slots)
	}
	m.o = square(s, "O", c)
	return m, nil
}

type linformer struct {
	linformerConfig
	q, k, v, o nn.Linear // [d,d], or [d_h,d] with one key head; b is nil unless compressFirst
	e, f       *nn.Param // [L,k]
}

// Mix returns the output [B,N,d] for x [B,N,d]. Keys and values are projected to k slots.
func (m *linformer) Mix(p *nn.Pass, x *ad.Var) *ad.Var {
	n := x.Dim(-2)
	e, f := ad.Narrow(p.Use(m.e), -2, n), ad.Narrow(p.Use(m.f), -2, n) // [N,k]
	p.Step("E", `E_{1:N}`, trace.Weight, e, trace.Key, trace.Slot)
	p.Step("F", `F_{1:N}`, trace.Weight, f, trace.Key, trace.Slot)
	q := project(p, "q", m.q, x)               // [N,d]
	k, _ := m.compress(p, "k", "E", m.k, e, x) // [k,d]
	v, values := k, x                          // [k,d], [N,·]
	if m.ownValues || m.e != m.f || p.Sums() || p.OnValues != nil {
		v, values = m.compress(p, "v", "F", m.v, f, x)
	}
	repeat := m.Width / k.Dim(-1)
	if p.Wants("products") {
		p.Step("products", `QK'^\top`, trace.Activation, ad.HeadScores(q, ad.Repeat(k, repeat), m.Heads, 1), trace.Head,
			trace.Query, trace.Slot) // [H,N,k]
	}
	s := p.Step("scores", `S = QK'^\top/\sqrt{d_h}`, trace.Activation,
		ad.HeadScores(q, ad.Repeat(k, repeat), m.Heads, m.scale()), trace.Head, trace.Query, trace.Slot) // [H,N,k]
	a := p.Step("weights", `P = \mathrm{softmax}(S)`, trace.Probability, ad.Softmax(s), trace.Head, trace.Query,
		trace.Slot) // [H,N,k]
	y := p.Step("mixed", `PV'`, trace.Activation, ad.HeadMix(a, ad.Repeat(v, repeat)), trace.Token,
		trace.HeadChannel) // [N,d]
	if p.Wants("implied") {
		p.ShowArray("implied", `PF^\top`, trace.Weight, m.implied(p.Mask, a.Value, f.Value), trace.Head,
			trace.Query, trace.Key)
	}
	if p.Tape.Explains() && p.Mask.Keys == nil {
		width := f.Dim(-1)
		p.Name("implied", p.Tape.Derive(m.implied(p.Mask, a.Value, f.Value), func(i int) ad.Origin {
			return ad.Products(ad.Several(a, i/n*width, 1, width), ad.Several(f, i%n*width, 1, width))
		}))
	}
	if p.Sums() {
		if m.compressFirst {
			values = nn.Linear{W: m.v.W}.Apply(p, x) // without the bias, which belongs to slots and not to words
		}
		p.Sum(m.implied(p.Mask, a.Value, f.Value), values.Value)
	}
	return p.Project(m.o, y)
}

// compress computes the k keys or values of the text: x [N,d], e [N,k] → [k,d]. It also returns the
// vectors [N,·] of the words that were compressed.
func (m *linformer) compress(p *nn.Pass, name, tex string, w nn.Linear, e, x *ad.Var) (slots, words *ad.Var) {
	word := func(x *ad.Var) *ad.Var {
		if name == "v" {
			x = p.Values(x)
		}
		return ad.KeepRows(x, p.Mask.Readable(x.Dim(0), x.Dim(1)))
	}
	if m.compressFirst {
		words = word(x)
		x = p.Step(name+" input", tex+`^\top X`, trace.Activation, ad.Compress(e, words), trace.Slot, trace.Channel)
		return p.Step(name+" slots", tex+`^\top X\,W^\top + b`, trace.Activation, w.Apply(p, x), trace.Slot,
			m.features()), words
	}
	words = word(p.Step(name, `XW^\top`, trace.Activation, w.Apply(p, x), trace.Token, m.features())) // [N,d]
	return p.Step(name+" slots", tex+`^\top XW^\top`, trace.Activation, ad.Compress(e, words), trace.Slot,
		m.features()), words
}

// features returns the role of the features of keys and values: features of each head, or of a head
// that all share.
func (o linformerConfig) features() trace.Role {
	if o.keyWidth < o.Width {
		return trace.Channel
	}
	return trace.HeadChannel
}

// implied returns P·Fᵀ [H,N,N], the weight of every word's value in every word's output. With
// biases, it covers the output without b_V. Padding and blocked words have weight 0.
func (m *linformer) implied(mask nn.Mask, a, f *tensor.T) *tensor.T {
	planes, n, k := a.Dim(0)*a.Dim(1), a.Dim(2), a.Dim(3)
	implied := tensor.New(a.Dim(0), a.Dim(1), n, n)
	tensor.Gemm(tensor.NewMatrix(implied.Data, planes*n, n), tensor.NewMatrix(a.Data, planes*n, k),
		tensor.NewMatrix(f.Data, n, k).T(), 1, tensor.Overwrite)
	for i, keys := 0, mask.Readable(a.Dim(0), n); keys != nil && i < len(implied.Data); i++ {
		if !keys[i/(a.Dim(1)*n*n)*n+i%n] {
			implied.Data[i] = 0
		}
	}
	return implied
}

func (o linformerConfig) params() int {
	kv, tables := 1, 1
	if o.ownValues {
		kv++
	}
	if o.compression == "separate" {
		tables++
	}
	n := 2*o.Width*o.Width + o.Width + kv*o.Width*o.keyWidth + tables*o.Length*o.slots
	if o.compressFirst {
		n += o.Width + kv*o.keyWidth
	}
	return n
}

func (o linformerConfig) flops(n int) int64 {
	d, k, w := o.Width, o.slots, o.keyWidth
	projected, compressed := int64(2), int64(2) // keys and values
	if !o.ownValues {
		projected = 1
		if o.compression != "separate" {
			compressed = 1
		}
	}
	flops := 4*product64(n, d, d) + 4*product64(n, k, d) // Q and O; scores and mixing
	if o.compressFirst {
		return flops + compressed*(2*product64(n, k, d)+2*product64(k, d, w))
	}
	return flops + projected*2*product64(n, d, w) + compressed*2*product64(n, k, w)
}
