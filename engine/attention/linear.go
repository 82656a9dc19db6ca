package attention

import (
	"attnatlas/engine/ad"
	"attnatlas/engine/citation"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
	"attnatlas/engine/trace"
)

// Linear is the Linear Transformer (Katharopoulos et al. 2020, arXiv:2006.16236, sec. 3.2–3.3, eq.
// 4–12). Its similarity is a product of features, so that keys and values are summed once, and
// every query uses the sum.
//
//	φ(x) = elu(x) + 1     y_i = φ(q_i)ᵀ·Σ_j φ(k_j)v_jᵀ / (φ(q_i)ᵀ·Σ_j φ(k_j) + 10⁻⁶)
//
// With a causal mask, the sums run over j ≤ i and are computed step by step. The transformer is
// then a recurrent network with the state Σ φ(k_j)v_jᵀ [H,d_h,d_h]. The implied attention map A_ij
// = φ(q_i)·φ(k_j)/(Σ_j + 10⁻⁶) is exact, and is formed only to be shown. Parameters: 4d² + 4d.
var Linear = newEntry(Entry{
	ID:      "linear",
	Family:  summarising,
	Formula: `y_i = \frac{\varphi(q_i)^\top \sum_j \varphi(k_j)v_j^\top}{\varphi(q_i)^\top \sum_j \varphi(k_j)} \quad \varphi = \mathrm{elu} + 1`,
	Cost:    "O(N·d²/H)",
	Growth:  1,
	Paper: citation.Paper{
		Authors: "Angelos Katharopoulos, Apoorv Vyas, Nikolaos Pappas, François Fleuret", Year: 2020,
		Title: "Transformers are RNNs: Fast Autoregressive Transformers with Linear Attention", Venue: "ICML",
		ArXiv:     "2006.16236",
		Equations: "sec. 3.2–3.3, eq. 4–12",
	},
	ParamsFormula: "4d² + 4d",
	FLOPsFormula:  "8Nd² + 4Nd·d_h + 4Nd",
	State:         "d·d_h + d",
	Masks: Masks{
		NoPairs:  message("linear.no-pairs"),
		EmptyRow: EmptyRow{Padding: ZeroRow},
	},
	Cut:     message("linear.cut"),
	Running: true,
	Views: []View{
		{Map: "weights", Symbol: "A"},
		{Map: "state", Symbol: "S", Apart: true},
	},
	Params: func(c Config) int { return 4 * linear(c.Width, c.Width) },
	FLOPs: func(c Config, n int) int64 { // projections, computing and using the sums, denominators
		return 8*product64(n, c.Width, c.Width) + 4*product64(n, c.Width, c.HeadWidth()) + 4*product64(n, c.Width)
	},
	New: func(s *nn.Scope, c Config) (Mixer, error) {
		return &linearTransformer{newProjections(s, c), c}, nil
	},
})

// linearEps keeps denominators away from 0.
const linearEps = 1e-6

type linearTransformer struct {
	projections
	c Config
}

// Mix returns the output [B,N,d] for x [B,N,d], from sums φ(K)ᵀV instead of pairs of tokens.
func (m *linearTransformer) Mix(p *nn.Pass, x *ad.Var) *ad.Var {
	q, k, v := m.qkv(p, x) // [N,d] each
	fq := p.Step("phi q", `\varphi(Q) = \mathrm{elu}(Q) + 1`, trace.Activation, ad.ELU1(q), trace.Token,
		trace.HeadChannel) // [N,d]
	fk := p.Step("phi k", `\varphi(K) = \mathrm{elu}(K) + 1`, trace.Activation, ad.ELU1(k), trace.Token,
		trace.HeadChannel) // [N,d]
	fk = ad.KeepRows(fk, p.Mask.Readable(x.Dim(0),
		x.Dim(1))) // [N,d]
	mix := ad.LinearMix
	if p.Mask.Kind == nn.Causal {
		mix = ad.CausalLinearMix
	}
	v = p.Values(v)
	h, ones := m.c.Heads, tensor.New(x.Dim(0), x.Dim(1), m.c.Heads)
	nn.Ones(nil, ones)
	y := mix(fq, fk, v, h)                  // [N,d]
	z := mix(fq, fk, p.Tape.Const(ones), h) // [N,H]
	y = ad.DivideHeads(y, z, linearEps)     // [N,d]
	if p.Watched() {
		m.show(p, fq, fk, v, z)
	}
	if p.Sums() {
		p.Sum(m.implied(p.Mask, fq.Value, fk.Value, z.Value), v.Value)
	}
	p.Step("mixed", `\varphi(Q)\,\Sigma/(Z + 10^{-6})`, trace.Activation, y, trace.Token, trace.HeadChannel)
	return p.Project(m.o, y)
}

// show records the state after the last position, the denominators, and the implied attention map.
func (m *linearTransformer) show(p *nn.Pass, fq, fk, v, z *ad.Var) {
	heads, w, batch := m.c.Heads, m.c.HeadWidth(), fq.Dim(0)
	state := tensor.New(batch, heads, w, w)
	for i := range batch * heads {
		tensor.Gemm(tensor.NewMatrix(state.Data[i*w*w:], w, w), m.head(fk.Value, i).T(), m.head(v.Value, i), 1,
			tensor.Overwrite)
	}
	axes := []trace.Axis{{Role: trace.Head}, {Role: trace.Channel, Name: "feature of the key"},
		{Role: trace.Channel, Name: "feature of the value"}}
	p.Show(trace.Map{Name: "state", Tex: `\Sigma = \sum_j \varphi(k_j) v_j^\top`, Kind: trace.Activation, Axes: axes,
		Value: state})
	p.Step("denominator", `Z_i = \varphi(q_i)^\top \sum_j \varphi(k_j)`, trace.Activation, z, trace.Token, trace.Head)
	if p.Wants("weights") {
		p.ShowArray("weights", `A_{ij} = \varphi(q_i)^\top\varphi(k_j)/(Z_i + 10^{-6})`, trace.Probability,
			m.implied(p.Mask, fq.Value, fk.Value, z.Value), trace.Head, trace.Query, trace.Key)
	}
	if p.Tape.Explains() {
		p.Name("weights", m.derived(p, fq, fk, z))
	}
}

// derived returns the map of implied with the origins of its numbers: the products φ(q_i)·φ(k_j),
// divided by Z_i.
func (m *linearTransformer) derived(p *nn.Pass, fq, fk, z *ad.Var) *ad.Var {
	value, h := m.implied(p.Mask, fq.Value, fk.Value, z.Value), m.c.Heads
	pairs, n := ad.HeadScores(fq, fk, h, 1), fq.Dim(1) // [H,N,N]
	return p.Tape.Derive(value, func(i int) ad.Origin {
		if p.Mask.Kind == nn.Causal && i%n > i/n%n {
			return ad.Nothing()
		}
		return ad.Origin{Operation: ad.Quotient, X: []ad.Number{{Of: pairs, At: i}},
			Y: []ad.Number{{Of: z, At: (i/(h*n*n)*n+i/n%n)*h + i/(n*n)%h}}, Eps: linearEps}
	})
}

// head returns head i%H of sequence i/H of an array [N,d].
func (m *linearTransformer) head(t *tensor.T, i int) tensor.Matrix {
	w, n, d := m.c.HeadWidth(), t.Dim(1), t.Dim(2)
	return tensor.Matrix{Data: t.Data[i/m.c.Heads*n*d+i%m.c.Heads*w:], Rows: n, Cols: w, Stride: d}
}

// implied returns the implied attention weights A [H,N,N].
func (m *linearTransformer) implied(mask nn.Mask, fq, fk, z *tensor.T) *tensor.T {
	heads, batch, n := m.c.Heads, fq.Dim(0), fq.Dim(1)
	a := tensor.New(batch, heads, n, n)
	for i := range batch * heads {
		pairs := a.Data[i*n*n:][:n*n]
		tensor.Gemm(tensor.NewMatrix(pairs, n, n), m.head(fq, i), m.head(fk, i).T(), 1, tensor.Overwrite)
		for r := range n {
			row := pairs[r*n:][:n]
			if mask.Kind == nn.Causal {
				clear(row[r+1:])
			}
			tensor.Scale(row, 1/(z.Data[(i/heads*n+r)*heads+i%heads]+linearEps), row)
		}
	}
	return a
}
