package attention

import (
	"math"

	"attnatlas/engine/ad"
	"attnatlas/engine/citation"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
	"attnatlas/engine/trace"
)

// Fastformer is additive attention (Wu et al. 2021, arXiv:2108.09084, sec. 3): it pools the whole
// text twice instead of computing a matrix of pairs.
//
//	α_a = softmax_n(q_n·w_a/√d_h)     g = Σ_n α_n q_n     p_n = g ∘ k_n
//	β_a = softmax_n(p_n·u_a/√d_h)     h = Σ_n β_n p_n     y_n = W_T(h ∘ q_n) + b_T + q_n
//
// By default, every head computes its scores from all d features and pools its own d_h, and the
// value is the query. Options: a separate value projection, y_n = W_T(h ∘ v_n) + b_T + q_n; scores
// from the head's own features; one set of parameters for all layers. Parameters: 3d² + 3d + 2(dH +
// H) by default.
var Fastformer = newEntry(Entry{
	ID:      "fastformer",
	Family:  summarising,
	Formula: `\alpha = \mathrm{softmax}(\frac{Qw}{\sqrt{d_h}}) \quad g = \sum_n \alpha_nq_n \quad \beta = \mathrm{softmax}(\frac{(g\circ K)u}{\sqrt{d_h}}) \quad h = \sum_n \beta_n(g\circ k_n) \quad y_n = W_T(h\circ q_n) + b_T + q_n`,
	Cost:    "O(N·d)",
	Growth:  1,
	Paper: citation.Paper{
		Authors: "Chuhan Wu, Fangzhao Wu, Tao Qi, Yongfeng Huang, Xing Xie", Year: 2021,
		Title: "Fastformer: Additive Attention Can Be All You Need", Venue: "arXiv", ArXiv: "2108.09084", Equations: "sec. 3",
	},
	ParamsFormula: "3d² + 3d + 2(dH + H)",
	FLOPsFormula:  "6Nd² + 4NHd + 4Nd",
	Masks: Masks{
		NoCausal: message("fastformer.no-causal"),
		NoPairs:  message("fastformer.no-pairs"),
		EmptyRow: EmptyRow{Padding: UnmaskedRow},
	},
	NoRollout: message("fastformer.no-rollout"),
	NoValues:  message("fastformer.no-values"),
	NoSum:     message("fastformer.no-values"),
	Cut:       message("fastformer.cut"),
	Views: []View{
		{Map: "contribution", Symbol: "‖C‖"},
		{Map: "alpha", Symbol: "α"},
		{Map: "beta", Symbol: "β"},
		{Map: "contribution of all heads", Symbol: "‖ΣC‖"},
		{Map: "alpha scores", Symbol: "Qw/√d_h"},
		{Map: "beta scores", Symbol: "(g∘K)u/√d_h"},
		{Map: "global query", Symbol: "g"},
		{Map: "global key", Symbol: "h"},
	},
	Options: fastformerOptions,
	Params: func(c Config) int {
		o := fastformerOf(c)
		return o.squares()*linear(c.Width, c.Width) + 2*linear(o.features(), c.Heads)
	},
	FLOPs: func(c Config, n int) int64 { // projections and scores, and pooling two times
		o := fastformerOf(c)
		return 2*product64(o.squares(), n, c.Width, c.Width) + 4*product64(n, c.Heads, o.features()) + 4*product64(n, c.Width)
	},
	New: newFastformer,
})

var fastformerOptions = []Option{
	{Name: "value", Default: "query", Values: []string{"query", "own"}},
	{Name: "scoring", Default: "full", Values: []string{"full", "per-head"}},
	{Name: "sharing", Default: "none", Values: []string{"none", "layer-wise"}},
}

// fastformerConfig holds the values of fastformerOptions.
type fastformerConfig struct {
	Config
	ownValue bool // the value has its own projection
	perHead  bool // a head computes scores from its own d_h features
	shared   bool // all layers share the parameters
}

func fastformerOf(c Config) fastformerConfig {
	o := c.choices(fastformerOptions...)
	return fastformerConfig{c, o.is("value", "own"), o.is("scoring", "per-head"), o.is("sharing", "layer-wise")}
}

// features returns the number of features that a head uses for its scores.
func (o fastformerConfig) features() int {
	if o.perHead {
		return o.HeadWidth()
	}
	return o.Width
}

// squares returns the number of matrices [d,d].
func (o fastformerConfig) squares() int {
	if o.ownValue {
		return 4
	}
	return 3
}

func newFastformer(s *nn.Scope, c Config) (Mixer, error) {
	o := fastformerOf(c)
	if o.shared {
		s = s.Shared("fastformer")
	}
	m := &fastformer{fastformerConfig: o, query: square(s, "Q", c), key: square(s, "K", c)}
	if o.ownValue {
		m.value = square(s, "V", c)
	}
	m.alpha, m.beta = nn.NewLinear(s, "alpha", o.features(), c.Heads), nn.NewLinear(s, "beta", o.features(), c.Heads)
	m.transform = square(s, "T", c)
	return m, nil
}

type fastformer struct {
	fastformerConfig
	query, key  nn.Linear // [d,d]
	value       nn.Linear // [d,d], only with ownValue
	alpha, beta nn.Linear // w and u: [H,d], or [H,d_h] with perHead
	transform   nn.Linear // [d,d]: W_T
}

// Mix returns the output [B,N,d] for x [B,N,d], by additive attention with a global query and a
// global key.
func (m *fastformer) Mix(p *nn.Pass, x *ad.Var) *ad.Var {
	q, pk, beta, h := m.summary(p, x)
	return p.Tape.Blocks(x, x.Dim(-1), blockSize(p, x, fastformerBlock), func(from, to int) *ad.Var {
		q := ad.Slice(q, -2, from, to)
		v := q // [N,d]
		if m.ownValue {
			v = project(p, "v", m.value, ad.Slice(x, -2, from, to))
		}
		u := p.Step("u", `u_n = h \circ v_n`, trace.Activation, ad.MulRow(h, v), trace.Token, trace.HeadChannel) // [N,d]
		u, q = p.Read(u), p.Read(q)
		r := p.Step("r", `r_n = W_T u_n + b_T`, trace.Activation, m.transform.Apply(p, u), trace.Token,
			trace.Channel) // [N,d]
		if p.Watched() && x.Dim(0) == 1 {
			m.showContribution(p, beta.Value, pk.Value, v.Value)
		}
		if p.Tape.Explains() {
			m.deriveContribution(p, beta, pk, v)
		}
		return ad.Add(r, q)
	})
}

// summary pools the text into the global key h [1,d]. It also returns the queries and p [N,d], and
// β [H,N].
func (m *fastformer) summary(p *nn.Pass, x *ad.Var) (q, pk, beta, h *ad.Var) {
	q = project(p, "q", m.query, x)                         // [N,d]
	_, g := m.pool(p, "alpha", `Qw/\sqrt{d_h}`, m.alpha, q) // [H,N], [1,d]
	m.showGlobal(p, "global query", `g = \sum_n \alpha_n q_n`, g)
	pk = p.Tape.Blocks(x, x.Dim(-1), blockSize(p, x, fastformerBlock), func(from, to int) *ad.Var {
		k := project(p, "k", m.key, ad.Slice(x, -2, from, to))                                                     // [N,d]
		return p.Step("p", `p_n = g \circ k_n`, trace.Activation, ad.MulRow(g, k), trace.Token, trace.HeadChannel) // [N,d]
	})
	beta, h = m.pool(p, "beta", `(g \circ K)u/\sqrt{d_h}`, m.beta, pk) // [H,N], [1,d]
	h = p.KeepHeads(h)
	m.showGlobal(p, "global key", `h = \sum_n \beta_n p_n`, h)
	return q, pk, beta, h
}

// fastformerBlock is the number of positions of a long text that are computed at once, if the pass
// is not recorded and needs no gradients. It is small enough for them to stay in the cache.
const fastformerBlock = 512

// pool weights the positions of x [N,d] by softmax(x·w/√d_h) [H,N] and sums them, separately for
// each head, into one row [1,d]. tex is the formula of the scores.
func (m *fastformer) pool(p *nn.Pass, name, tex string, w nn.Linear, x *ad.Var) (weights, sum *ad.Var) {
	s := ad.Scale(m.score(p, w, x), m.scale()) // [H,N]
	if bias := p.Mask.Additive(x.Dim(0), m.Heads, x.Dim(-2)); bias != nil {
		s = ad.AddScalars(s, bias)
	}
	p.Step(name+" scores", tex, trace.Activation, s, trace.Head, trace.Token)
	a := p.Step(name, `\`+name+` = \mathrm{softmax}(`+tex+`)`, trace.Probability, ad.Softmax(s), trace.Head,
		trace.Token) // [H,N]
	b, n := x.Dim(0), x.Dim(1)
	return a, ad.HeadMix(ad.Reshape(a, b, m.Heads, 1, n), x)
}

// showGlobal records a pooled vector [1,d] by head: [H,d_h].
func (m *fastformer) showGlobal(p *nn.Pass, name, tex string, g *ad.Var) {
	if p.Wants(name) {
		p.Step(name, tex, trace.Activation, ad.Reshape(g, g.Dim(0), m.Heads, m.HeadWidth()), trace.Head, trace.Channel)
	}
}

// score returns x·w for every head: x [N,d] → [H,N].
func (m *fastformer) score(p *nn.Pass, w nn.Linear, x *ad.Var) *ad.Var {
	if !m.perHead {
		return ad.Transpose(w.Apply(p, x))
	}
	heads, width := m.Heads, m.HeadWidth()
	s := ad.HeadLinear(x, ad.Reshape(p.Use(w.W), heads, 1, width), ad.Reshape(p.Use(w.B), heads, 1)) // [H,N,1]
	return ad.Reshape(s, x.Dim(0), heads, x.Dim(1))
}

// contribution and contributionOfAll are the names of the maps of lengths: of one head's part of
// C_ij, and of the sum over the heads.
const (
	contribution      = "contribution"
	contributionOfAll = "contribution of all heads"
)

// showContribution records ‖C_ij‖ with C_ij = W_T((β_j p_j) ∘ v_i): the exact contribution of token
// j to y_i = q_i + b_T + Σ_j C_ij. The global query in p_j is held fixed, although it also depends
// on all tokens. The influence map includes that path.
//
// The C of a head is the part that flows through its own d_h features of W_T. The map without heads
// holds the lengths of the sums over heads, which differ from the sums of the lengths.
func (m *fastformer) showContribution(p *nn.Pass, beta, pk, v *tensor.T) {
	if !p.Wants(contribution) && !p.Wants(contributionOfAll) {
		return
	}
	heads, width, n, d := m.Heads, m.HeadWidth(), v.Dim(-2), v.Dim(-1)
	weighted := make([]tensor.Elem, n*d) // rows β_j p_j
	for at, share := range pk.Data {
		weighted[at] = share * beta.Data[at%d/width*n+at/d]
	}
	weighted = p.Mask.KeepColumns(tensor.From(weighted, n, d)).Data
	w := tensor.NewMatrix(m.transform.W.Value.Data, d, d)
	gram := tensor.New(d, d) // W_Tᵀ·W_T
	tensor.Gemm(tensor.NewMatrix(gram.Data, d, d), w.T(), w, 1, tensor.Overwrite)
	tex := `\lVert W_T((\beta_j p_j) \circ v_i) \rVert_2`
	if p.Wants(contribution) {
		perHead := tensor.New(heads, n, n)
		for a := range heads {
			of := func(data []tensor.Elem, rows int) tensor.Matrix {
				return tensor.Matrix{Data: data[a*width:], Rows: rows, Cols: width, Stride: d}
			}
			productLengths(perHead.Sub(a).Data, of(weighted, n), of(v.Data, n), of(gram.Data[a*width*d:], width))
		}
		p.ShowArray(contribution, tex, trace.Length, perHead, trace.Head, trace.Query, trace.Key)
	}
	if p.Wants(contributionOfAll) {
		all := tensor.New(n, n)
		productLengths(all.Data, tensor.NewMatrix(weighted, n, d), tensor.NewMatrix(v.Data, n, d),
			tensor.NewMatrix(gram.Data, d, d))
		p.ShowArray(contributionOfAll, tex, trace.Length, all, trace.Query, trace.Key)
	}
}

// deriveContribution computes the vectors C_ij of every head, and of all heads together, and names
// their lengths, which showContribution records. First come u = (β_j p_j) ∘ v_i for all pairs
// [N,N,d], then W_T·u by head [H,N,N,d].
func (m *fastformer) deriveContribution(p *nn.Pass, beta, pk, v *ad.Var) {
	n, d, width := v.Dim(-2), m.Width, m.HeadWidth()
	e := tensor.New(n, d)
	for i, share := range pk.Value.Data {
		e.Data[i] = share * beta.Value.Data[i%d/width*n+i/d]
	}
	weighted := p.Tape.Derive(e, func(i int) ad.Origin {
		return ad.Products([]ad.Number{{Of: beta, At: i%d/width*n + i/d}}, []ad.Number{{Of: pk, At: i}})
	})
	p.Name("beta p", weighted)
	u := tensor.New(n, n, d)
	for i := range n * n {
		tensor.Mul(u.Data[i*d:][:d], v.Value.Data[i/n*d:][:d], e.Data[i%n*d:][:d])
	}
	pairs := p.Tape.Derive(u, func(i int) ad.Origin {
		row, column, f := i/(n*d), i/d%n, i%d
		return ad.Products([]ad.Number{{Of: weighted, At: column*d + f}}, []ad.Number{{Of: v, At: row*d + f}})
	})
	p.Name("(beta p)∘v", pairs)
	w := p.Use(m.transform.W)
	lengths := func(name string, from, width, heads int) {
		c, size := tensor.New(heads, n, n, d), tensor.New(heads, n, n)
		for a := range heads {
			rows := tensor.Matrix{Data: u.Data[from+a*width:], Rows: n * n, Cols: width, Stride: d}
			by := tensor.Matrix{Data: w.Value.Data[from+a*width:], Rows: d, Cols: width, Stride: d}
			tensor.Gemm(tensor.NewMatrix(c.Data[a*n*n*d:], n*n, d), rows, by.T(), 1, tensor.Overwrite)
		}
		vectors := p.Tape.Derive(c, func(i int) ad.Origin {
			a, pair, o := i/(n*n*d), i/d%(n*n), i%d
			return ad.Products(ad.Several(pairs, pair*d+a*width, 1, width), ad.Several(w, o*d+a*width, 1, width))
		})
		p.Name("C", vectors)
		for i := range size.Data {
			size.Data[i] = tensor.Elem(math.Sqrt(float64(tensor.Dot(c.Data[i*d:][:d], c.Data[i*d:][:d]))))
		}
		if heads == 1 {
			size = size.Reshape(n, n)
		}
		p.Name(name, p.Tape.Derive(size, func(i int) ad.Origin {
			return ad.Origin{Operation: ad.Length, X: ad.Several(vectors, i*d, 1, d)}
		}))
	}
	lengths(contribution, 0, width, m.Heads)
	lengths(contributionOfAll, 0, d, 1)
}

// productLengths writes ‖W(e_j ∘ v_i)‖ for all pairs of the rows of v and e [N,d] to dst [N,N],
// where gram = WᵀW [d,d]. The square is a sum over pairs of features,
//
//	Σ_{f≤g} (e_jf·e_jg)·(v_if·v_ig·gram_fg·(2 − δ_fg))
//
// in which the first factor depends only on j and the second only on i. It is therefore a product
// of two matrices [N,d(d+1)/2], which are computed one block of features at a time.
func productLengths(dst []tensor.Elem, e, v, gram tensor.Matrix) {
	const block = 512 // pairs of features
	n, d := e.Rows, e.Cols
	size := min(max(block, d), d*(d+1)/2)
	of, by, grams := make([]tensor.Elem, n*size), make([]tensor.Elem, n*size), make([]tensor.Elem, size)
	for from, update := 0, tensor.Overwrite; from < d; update = tensor.Accumulate {
		to, pairs := from, 0
		for ; to < d && (to == from || pairs+d-to <= block); to++ {
			tensor.Scale(grams[pairs:][:d-to], 2, gram.Data[to*gram.Stride+to:][:d-to])
			grams[pairs] /= 2
			pairs += d - to
		}
		for i := range n {
			at, ei, vi := i*pairs, e.Data[i*e.Stride:][:d], v.Data[i*v.Stride:][:d]
			for f := from; f < to; f++ {
				tensor.Scale(of[at:][:d-f], ei[f], ei[f:])
				tensor.Scale(by[at:][:d-f], vi[f], vi[f:])
				at += d - f
			}
		}
		tensor.MulRows(by[:n*pairs], by[:n*pairs], grams[:pairs])
		tensor.Gemm(tensor.NewMatrix(dst, n, n), tensor.NewMatrix(by, n, pairs),
			tensor.NewMatrix(of, n, pairs).T(), 1, update)
		from = to
	}
	for i, square := range dst {
		dst[i] = tensor.Elem(math.Sqrt(max(float64(square), 0)))
	}
}
