package attention

import (
	"attnatlas/engine/ad"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
	"attnatlas/engine/trace"
)

// Dense is the Dense Synthesizer (Tay et al. 2020, arXiv:2005.00743, sec. 3.1 of v3). Every token
// computes its own row of scores, without looking at the others.
//
//	S_a = ReLU(X·W1_aᵀ + b1_a)·W2_aᵀ + b2_a    A_a = softmax(S_a)    Y = [A_1·V_1 … A_H·V_H]·W_Oᵀ + b_O
//
// W1 is [H·d,d], and W2 is [H,L,d]. Row i depends on token i alone. Column j is a position in the
// text, not the word there. Parameters: H(d² + d + dL + L) + 2d² + 2d.
//
// With hidden = query, as in the authors' own code (Mesh TensorFlow, mode "dense_minus"), the query
// projection is the first layer, and all heads share the second:
//
//	S_a = ReLU(Q_a/√d_h)·πᵀ    Q = X·W_Qᵀ + b_Q    π [L,d_h]
var Dense = newEntry(Entry{
	ID:            "dense",
	Family:        synthesizers,
	Formula:       `A_i = \mathrm{softmax}(W_2\,\mathrm{ReLU}(W_1x_i + b_1) + b_2)`,
	Cost:          "O(N²·d + N·H·d·(d + N))",
	Growth:        2,
	Paper:         synthesizer("sec. 3.1"),
	ParamsFormula: "H(d² + d + dL + L) + 2d² + 2d",
	FLOPsFormula:  "4Nd² + 2N²d + H(2Nd² + 2N²d)",
	State:         "Nd",
	Masks:         Masks{EmptyRow: uniformRow},
	Views: []View{
		{Map: "weights", Symbol: "A", Caption: wordReadsPosition},
		{Map: "scores", Symbol: "S"},
		{Map: "logits", Symbol: "D"},
		{Map: "hidden", Symbol: "h"},
	},
	Options: []Option{hiddenOption},
	Params: func(c Config) int {
		o := denseOf(c)
		return o.params() + o.queries()*linear(c.Width, c.Width) + 2*linear(c.Width, c.Width)
	},
	FLOPs: func(c Config, n int) int64 {
		o := denseOf(c)
		return o.flops(n) + 2*product64(o.queries(), n, c.Width, c.Width) + valueFLOPs(c, n)
	},
	PerPosition: everyPosition,
	New: func(s *nn.Scope, c Config) (Mixer, error) {
		m := &dense{denseLayers: denseOf(c).newLayers(s)}
		if m.query {
			m.q = square(s, "Q", c)
		}
		m.v, m.o = square(s, "V", c), square(s, "O", c)
		return m, nil
	},
})

var hiddenOption = Option{
	Name: "hidden", Default: "own", Values: []string{"own", "query"}, Help: message("dense.option.hidden"),
}

// denseConfig holds the sizes of dense scores and the value of hiddenOption.
type denseConfig struct {
	Config
	query bool // the query is the hidden layer
}

func denseOf(c Config) denseConfig {
	return denseConfig{c, c.choices(hiddenOption).is("hidden", "query")}
}

// queries returns the number of query projections that the scores need.
func (o denseConfig) queries() int {
	if o.query {
		return 1
	}
	return 0
}

// params returns the number of parameters that compute scores, without the query projection.
func (o denseConfig) params() int {
	if o.query {
		return o.Length * o.HeadWidth()
	}
	return o.Heads * (linear(o.Width, o.Width) + linear(o.Width, o.Length))
}

func (o denseConfig) flops(n int) int64 {
	if o.query {
		return 2 * product64(n, n, o.Width)
	}
	return 2*product64(o.Heads, n, o.Width, o.Width) + 2*product64(o.Heads, n, n, o.Width)
}

type dense struct {
	denseLayers
	q, v, o nn.Linear // q only with hidden = query
}

// Mix returns the output [B,N,d] for x [B,N,d]. Each row of scores is computed from one token.
func (m *dense) Mix(p *nn.Pass, x *ad.Var) *ad.Var {
	input := x
	if m.query {
		input = scaledQuery(p, m.q, x, m.Config) // [N,d]
	}
	v := project(p, "v", m.v, x) // [N,d]
	return p.Project(m.o, p.Read(m.Attend(p, input, nil, v)))
}

// Attend is Mix between the projections. With hidden = own, input is the text; with hidden = query,
// it is the scaled query.
func (m *dense) Attend(p *nn.Pass, input, _, v *ad.Var) *ad.Var {
	_, _, tex := m.tex()
	return mixHeads(p, v, tex, m.scores(p, input))
}

// scaledQuery returns Q/√d_h [N,d].
func scaledQuery(p *nn.Pass, w nn.Linear, x *ad.Var, c Config) *ad.Var {
	return p.Step("scaled q", `Q/\sqrt{d_h}`, trace.Activation, ad.Scale(project(p, "q", w, x), c.scale()), trace.Token,
		trace.HeadChannel)
}

// denseLayers are the two layers that compute the scores of a dense synthesizer. The first is W_1
// or the query projection. The second is W_2 of each head, or π, which all heads share.
type denseLayers struct {
	denseConfig
	w1, b1     *nn.Param // [H·d,d], [H·d]
	w2, b2, pi *nn.Param // [H,L,d], [H,L]; [L,d_h]
}

func (o denseConfig) newLayers(s *nn.Scope) denseLayers {
	h, d, l := o.Heads, o.Width, o.Length
	if o.query {
		return denseLayers{denseConfig: o, pi: s.Param("pi", nn.Normal(nn.Std), l, o.HeadWidth())}
	}
	return denseLayers{
		denseConfig: o,
		w1:          s.Param("W_1", nn.Normal(nn.Std), h*d, d), b1: s.Param("b_1", nn.Zeros, h*d),
		w2: s.Param("W_2", nn.Normal(nn.Std), h, l, d), b2: s.Param("b_2", nn.Zeros, h, l).NoDecay(),
	}
}

// columns returns the second layer for the first n positions: [H,n,w], [H,n].
func (m denseLayers) columns(p *nn.Pass, n int) (w, b *ad.Var) {
	if m.query {
		return ad.Tile(ad.Narrow(p.Use(m.pi), -2, n), m.Heads), p.Tape.Const(tensor.New(m.Heads, n))
	}
	return ad.Narrow(p.Use(m.w2), -2, n), ad.Narrow(p.Use(m.b2), -1, n)
}

// tex returns the formulas of the hidden layer, of the logits and of the scores.
func (m denseLayers) tex() (hidden, logits, scores string) {
	if m.query {
		return `h = \mathrm{ReLU}(Q/\sqrt{d_h})`, `h\pi^\top`, `S_a = \mathrm{ReLU}(Q_a/\sqrt{d_h})\pi_{1:N}^\top`
	}
	return `h = \mathrm{ReLU}(XW_1^\top + b_1)`, `hW_2^\top + b_2`, `S = hW_{2,1:N}^\top + b_{2,1:N}`
}

// scores prepares the parts of the scores that all rows share, from the text or its scaled query
// [N,d].
func (m denseLayers) scores(p *nn.Pass, input *ad.Var) scores {
	if !m.query {
		input = ad.Linear(input, p.Use(m.w1), p.Use(m.b1)) // [N,H·d]
	}
	h := ad.ReLU(input) // [N,H·w]
	hidden, logits, _ := m.tex()
	showHidden(p, hidden, h, m.Heads)
	if p.Wants("logits") {
		w, b := m.columns(p, m.Length)
		p.ShowVar(trace.Map{Name: "logits", Tex: logits, Kind: trace.Activation,
			Axes: []trace.Axis{{Role: trace.Head}, {Role: trace.Query}, {Role: trace.Slot, Name: "position"}}},
			ad.HeadLinear(h, w, b)) // [H,N,L]
	}
	w, b := m.columns(p, input.Dim(-2)) // [H,N,w], [H,N]
	return scores{
		heads: m.Heads,
		rows:  func(from, to int) *ad.Var { return ad.HeadLinear(ad.Slice(h, -2, from, to), w, b) },
		quick: func() ad.Scorer { return ad.LinearScorer(h, w, b) },
	}
}

// showHidden records the hidden layer [N,H·w] by head: [H,N,w].
func showHidden(p *nn.Pass, tex string, h *ad.Var, heads int) {
	if !p.Wants("hidden") {
		return
	}
	every := make([]int, h.Dim(-2))
	for i := range every {
		every[i] = i
	}
	p.Step("hidden", tex, trace.Activation, ad.GatherHeads(h, heads, [][]int{every}), trace.Head, trace.Token,
		trace.Channel)
}
