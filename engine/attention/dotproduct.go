package attention

import (
	"attnatlas/engine/ad"
	"attnatlas/engine/citation"
	"attnatlas/engine/nn"
	"attnatlas/engine/trace"
)

// DotProduct is scaled dot-product attention with several heads (Vaswani et al. 2017,
// arXiv:1706.03762, sec. 3.2, eq. 1):
//
//	A_a = softmax(Q_a·K_aᵀ/√d_h)    Y = [A_1·V_1 … A_H·V_H]·W_Oᵀ + b_O
//
// Parameters: 4d² + 4d.
var DotProduct = newEntry(Entry{
	ID:      "dot-product",
	Family:  comparing,
	Formula: `A = \mathrm{softmax}(\frac{QK^\top}{\sqrt{d_h}})`,
	Cost:    "O(N²·d)",
	Growth:  2,
	Paper: citation.Paper{
		Authors: "Ashish Vaswani, Noam Shazeer, Niki Parmar, Jakob Uszkoreit, Llion Jones, Aidan N. Gomez, Łukasz Kaiser, Illia Polosukhin", Year: 2017,
		Title: "Attention Is All You Need", Venue: "NeurIPS", ArXiv: "1706.03762", Equations: "sec. 3.2, eq. 1",
	},
	ParamsFormula: "4d² + 4d",
	FLOPsFormula:  "8Nd² + 4N²d",
	State:         "2Nd",
	Cached:        true,
	Masks:         Masks{EmptyRow: uniformRow},
	Compares:      []string{"q", "k"},
	Views: []View{
		{Map: "weights", Symbol: "A", Caption: wordReadsWord},
		{Map: "scores", Symbol: "S"},
	},
	Params: func(c Config) int { return 4 * linear(c.Width, c.Width) },
	FLOPs:  func(c Config, n int) int64 { return 8*product64(n, c.Width, c.Width) + 4*product64(n, n, c.Width) },
	New: func(s *nn.Scope, c Config) (Mixer, error) {
		w := newProjections(s, c)
		return &Product{Q: w.q, K: w.k, V: w.v, O: w.o, Heads: c.Heads, Scale: c.scale(),
			Formula: `S = QK^\top/\sqrt{d_h}`}, nil
	},
})

// Product is dot-product attention with its parameters. Models from other programs also use the
// optional parts that change queries and keys, or that add to the scores.
type Product struct {
	Q, K, V, O nn.Linear // [d,d] each; K and V are smaller with fewer KVHeads
	Heads      int
	KVHeads    int     // number of heads of keys and values; consecutive heads share one; 0: Heads
	Scale      ad.Elem // factor of the products q·k
	Cap        ad.Elem // scores s become Cap·tanh(s/Cap); 0: no cap
	Formula    string  // formula of the scores
	// Turn, unless nil, changes queries and keys [N,d], for example by their positions, starting
	// with from.
	Turn func(p *nn.Pass, q, k *ad.Var, from int) (*ad.Var, *ad.Var)
	// Bias, unless nil, returns the bias for the scores of the queries from … to−1: [H,to-from,M],
	// or [B,H,to-from,M]. With a cache, the queries are the last of the M positions.
	Bias func(p *nn.Pass, q, k *ad.Var, from, to int) *ad.Var
	// Window, unless nil, reports for the queries from … to−1 and n keys which pairs the layer
	// computes.
	Window func(from, to, n int) []bool
}

// Mix returns the output [B,N,d] for x [B,N,d].
func (m *Product) Mix(p *nn.Pass, x *ad.Var) *ad.Var {
	readers, at := x, p.Only
	if m.Turn == nil && m.Bias == nil {
		readers, at = p.Readers(x)
	}
	q, k, v := project(p, "q", m.Q, readers), project(p, "k", m.K, x), project(p, "v", m.V, x) // [N,d] each
	if m.Turn != nil {
		q, k = m.Turn(p, q, k, p.Remembered())
	}
	k, v = p.Remember(k, v)
	if p.OnCompare != nil {
		p.OnCompare(p, m, q, k)
	}
	if m.Window != nil {
		n := k.Dim(-2)
		p = p.WithMask(p.Mask.Within(m.Window(n-x.Dim(-2), n, n), n))
	}
	k, v = m.repeat(k), m.repeat(v)
	y := readHeads(p, q, v, m.Formula, m.scores(p, q, k))
	return p.Project(m.O, p.Reading(at).Read(y))
}

// repeat repeats the heads of keys or values that several heads share.
func (m *Product) repeat(x *ad.Var) *ad.Var {
	if m.KVHeads > 0 && m.KVHeads < m.Heads {
		return ad.RepeatHeads(x, m.KVHeads, m.Heads/m.KVHeads)
	}
	return x
}

// scores returns scale·Q·Kᵀ and the bias of every head.
func (m *Product) scores(p *nn.Pass, q, k *ad.Var) scores {
	s := productScores(q, k, m.Heads, m.Scale)
	if m.Cap > 0 {
		whole := s.rows
		s.quick = nil
		s.rows = func(from, to int) *ad.Var { return ad.Scale(ad.Tanh(ad.Scale(whole(from, to), 1/m.Cap)), m.Cap) }
	}
	if m.Bias == nil {
		return s
	}
	products := s.rows
	s.quick = nil
	s.rows = func(from, to int) *ad.Var {
		bias, scores := m.Bias(p, q, k, from, to), products(from, to)
		if bias.Value.Rank() < scores.Value.Rank() {
			return ad.AddRows(scores, bias)
		}
		return ad.Add(scores, bias)
	}
	return s
}

// scores computes the scores [H,N,M] of N queries for M keys. They can be computed for some queries
// at a time, so that a long text never needs all of them at once.
type scores struct {
	heads int
	rows  func(from, to int) *ad.Var // scores of the queries from … to-1: [H,to-from,M]
	// unscaled computes the scores without their factor, for maps; nil if there is no factor.
	unscaled func(from, to int) *ad.Var
	quick    func() ad.Scorer // computes the same scores for Attend; nil if Attend cannot compute them
	// shared means that the scores are the same for all sequences.
	shared bool
}

// productScores computes scale·Q·Kᵀ for every head.
func productScores(q, k *ad.Var, heads int, scale ad.Elem) scores {
	rows := func(scale ad.Elem) func(from, to int) *ad.Var {
		return func(from, to int) *ad.Var { return ad.HeadScores(ad.Slice(q, -2, from, to), k, heads, scale) }
	}
	return scores{
		heads: heads, rows: rows(scale), unscaled: rows(1),
		quick: func() ad.Scorer { return ad.HeadScorer(q, k, heads, scale) },
	}
}

// queryBlock is the number of rows of scores in memory at once, if the pass is not recorded and
// needs no gradients.
const queryBlock = 64

// blockSize returns size, or the number of rows of x if the pass is recorded.
func blockSize(p *nn.Pass, x *ad.Var, size int) int {
	if p.Watched() {
		return x.Dim(-2)
	}
	return size
}

// mixValues is the part that dot product and Synthesizers share: softmax of the scores [H,N,N], the
// weighted sum of the values [N,d], and the output projection.
func mixValues(p *nn.Pass, v *ad.Var, o nn.Linear, tex string, s scores) *ad.Var {
	return p.Project(o, p.Read(mixHeads(p, v, tex, s)))
}

// mixHeads is mixValues before the output projection.
func mixHeads(p *nn.Pass, v *ad.Var, tex string, s scores) *ad.Var {
	return readHeads(p, v, v, tex, s)
}

// readHeads is mixHeads for queries that are not the text's own. x [N,d] has one row per query, and
// the scores [H,N,M] are for the values v [M,d].
func readHeads(p *nn.Pass, x, v *ad.Var, tex string, of scores) *ad.Var {
	v = p.Values(v)
	if p.Tape.Frozen() && !p.Watched() && p.Mask.Open() && of.quick != nil && (!of.shared || x.Dim(0) == 1) {
		return ad.Attend(of.quick(), v, of.heads, x.Dim(-2))
	}
	return p.Tape.Blocks(x, v.Dim(-1), blockSize(p, x, queryBlock), func(from, to int) *ad.Var {
		if of.unscaled != nil && p.Wants("products") {
			p.Step("products", `QK^\top`, trace.Activation, of.unscaled(from, to), trace.Head, trace.Query, trace.Key) // [H,N,M]
		}
		s := p.Step("scores", tex, trace.Activation, of.rows(from, to), trace.Head, trace.Query, trace.Key) // [H,N,M]
		if !p.Wants("scores") {
			s.Last()
		}
		s = p.Step("masked", `S_{ij} = -10^9 \text{ where forbidden}`, trace.Activation,
			p.Mask.Apply(s, from), trace.Head, trace.Query, trace.Key) // [H,N,M]
		a := p.Step("weights", `A = \mathrm{softmax}(S)`, trace.Probability,
			p.Mask.RestFrom(ad.SoftmaxInPlace(s), from), trace.Head, trace.Query, trace.Key) // [H,N,M]
		p.Sum(a.Value, v.Value)
		return p.Step("mixed", `AV`, trace.Activation, ad.HeadMix(a, v), trace.Token, trace.HeadChannel) // [N,d]
	})
}
