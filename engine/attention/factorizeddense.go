package attention

import (
	"attnatlas/engine/ad"
	"attnatlas/engine/messages"
	"attnatlas/engine/nn"
	"attnatlas/engine/trace"
)

// FactorizedDense is the Factorized Dense Synthesizer (Tay et al. 2020, arXiv:2005.00743, sec.
// 3.3). Every token computes two short rows, A and B, and its L scores are all products of their
// elements. With a·b = L,
//
//	S_ij = A_{i,⌊j/b⌋}·B_{i,j mod b}    A = F_A(X)    B = F_B(X)    A_a = softmax(S_a)
//
// for every head, where F(X) = ReLU(X·W1ᵀ + b1)·W2ᵀ + b2. Parameters: H(2d² + 2d + (d+1)(a+b)) +
// 2d² + 2d.
var FactorizedDense = newEntry(Entry{
	ID:            "factorized-dense",
	Family:        synthesizers,
	Formula:       `A = \mathrm{softmax}(C) \quad C_{ij} = F_A(x_i)_{\lfloor j/b \rfloor} \cdot F_B(x_i)_{j \bmod b}`,
	Cost:          "O(N²·d + N·H·d·(d + a + b))",
	Growth:        2,
	Paper:         synthesizer("sec. 3.3, Factorized Dense Synthesizer: A, B = F_A(Xᵢ), F_B(Xᵢ), C = H_A(A) ∗ H_B(B)"),
	ParamsFormula: "H(2d² + 2d + (d + 1)(a + b)) + 2d² + 2d",
	FLOPsFormula:  "H(4Nd² + 2Nd(⌈N/b⌉ + min(N, b)) + N²) + 4Nd² + 2N²d",
	State:         "Nd",
	Sizes: func(c Config, _ int) []Size {
		o := factorizedOf(c)
		return []Size{{"a", o.a, message("factorized-dense.size.a")}, {"b", o.b, message("factorized-dense.size.b")}}
	},
	Masks: Masks{EmptyRow: uniformRow},
	Views: []View{
		{Map: "weights", Symbol: "A", Caption: wordReadsPosition},
		{Map: "scores", Symbol: "C"},
		{Map: "A", Symbol: "F_A"},
		{Map: "B", Symbol: "F_B"},
	},
	Options: factorizedDenseOptions,
	Params: func(c Config) int {
		o := factorizedOf(c)
		return c.Heads*(o.hiddenLayers()*linear(c.Width, c.Width)+linear(c.Width, o.a)+linear(c.Width,
			o.b)) + 2*linear(c.Width, c.Width)
	},
	FLOPs: func(c Config, n int) int64 {
		o := factorizedOf(c)
		layers := 2*product64(o.hiddenLayers(), n, c.Width, c.Width) + 2*product64(n, c.Width, (n+o.b-1)/o.b+min(n, o.b))
		return int64(c.Heads)*(layers+product64(n, n)) + valueFLOPs(c, n)
	},
	Note: func(c Config, n int) messages.Message {
		if o := factorizedOf(c); n <= o.b && o.a > 1 {
			return message("factorized-dense.note", "most", o.b, "columns", o.a)
		}
		return messages.Message{}
	},
	PerPosition: everyPosition,
	New: func(s *nn.Scope, c Config) (Mixer, error) {
		o := factorizedOf(c)
		if o.a*o.b != c.Length {
			return nil, messages.Errorf("mixer.divides", "a", o.a, "length", c.Length)
		}
		h, d := c.Heads, c.Width
		m := &factorizedDense{shared: o.shared}
		if o.shared {
			m.hiddenA = nn.NewLinear(s, "1", d, h*d)
			m.hiddenB = m.hiddenA
		} else {
			m.hiddenA, m.hiddenB = nn.NewLinear(s, "A1", d, h*d), nn.NewLinear(s, "B1", d, h*d)
		}
		m.a = factorRow{"A", "block of positions", s.Param("W_A2", nn.Normal(nn.Std), h, o.a, d),
			s.Param("b_A2", nn.Ones, h, o.a).NoDecay()}
		m.b = factorRow{"B", "place in a block", s.Param("W_B2", nn.Normal(nn.Std), h, o.b, d),
			s.Param("b_B2", nn.Zeros, h, o.b).NoDecay()}
		m.v, m.o = nn.NewLinear(s, "V", d, d), nn.NewLinear(s, "O", d, d)
		return m, nil
	},
})

var factorizedDenseOptions = []Option{
	{Name: "a", Symbol: "a", Default: "auto"},
	{Name: "hidden", Default: "separate", Values: []string{"separate", "shared"}},
}

// factorizedConfig holds the values of factorizedDenseOptions.
type factorizedConfig struct {
	a, b   int
	shared bool // A and B share one hidden layer
}

func factorizedOf(c Config) factorizedConfig {
	o := c.choices(factorizedDenseOptions...)
	a := o.number("a")
	if a == 0 { // auto
		for a = 1; (a+1)*(a+1) <= c.Length; a++ {
		}
		for c.Length%a != 0 {
			a--
		}
	}
	return factorizedConfig{a, c.Length / a, o.is("hidden", "shared")}
}

// hiddenLayers returns the number of hidden layers per head.
func (o factorizedConfig) hiddenLayers() int {
	if o.shared {
		return 1
	}
	return 2
}

type factorizedDense struct {
	hiddenA, hiddenB nn.Linear // [H·d,d]; the same when shared
	shared           bool
	a, b             factorRow
	v, o             nn.Linear
}

// factorRow computes one of the two short rows of every token, with width c = a or b.
type factorRow struct {
	name string
	what string    // meaning of its columns
	w, b *nn.Param // [H,c,d], [H,c]
}

// apply computes the first n columns of the rows from the hidden layer h [N,H·d] → [H,N,n], and
// records all columns.
func (f factorRow) apply(p *nn.Pass, h *ad.Var, n int) *ad.Var {
	w, b := p.Use(f.w), p.Use(f.b)
	if p.Watched() {
		p.ShowVar(trace.Map{Name: f.name, Tex: `hW_2^\top + b_2`, Kind: trace.Activation,
			Axes: []trace.Axis{{Role: trace.Head}, {Role: trace.Query}, {Role: trace.Slot, Name: f.what}}},
			ad.HeadLinear(h, w, b)) // [H,N,c]
	}
	return ad.HeadLinear(h, ad.Narrow(w, -2, n), ad.Narrow(b, -1, n)) // [H,N,n]
}

// Mix returns the output [B,N,d] for x [B,N,d]. Scores are products of two factors, each computed
// from the token of the row.
func (m *factorizedDense) Mix(p *nn.Pass, x *ad.Var) *ad.Var {
	v := project(p, "v", m.v, x) // [N,d]
	ha := p.Step("hidden A", `h_A = \mathrm{ReLU}(XW_{A1}^\top + b_{A1})`, trace.Activation,
		ad.ReLU(m.hiddenA.Apply(p, x)), trace.Token, trace.HeadChannel) // [N,H·d]
	hb := ha
	if !m.shared {
		hb = p.Step("hidden B", `h_B = \mathrm{ReLU}(XW_{B1}^\top + b_{B1})`, trace.Activation,
			ad.ReLU(m.hiddenB.Apply(p, x)), trace.Token, trace.HeadChannel) // [N,H·d]
	}
	n, b := x.Dim(-2), m.b.w.Value.Dim(-2)
	first := m.a.apply(p, ha, (n+b-1)/b)  // [H,N,⌈N/b⌉]
	second := m.b.apply(p, hb, min(n, b)) // [H,N,min(N,b)]
	return mixValues(p, v, m.o, `C_{ij} = A_{i,\lfloor j/b \rfloor}B_{i,j \bmod b}`, scores{
		heads: first.Dim(1),
		rows: func(from, to int) *ad.Var {
			return ad.RowProducts(ad.Slice(first, -2, from, to), ad.Slice(second, -2, from, to), n)
		},
		quick: func() ad.Scorer { return ad.ProductScorer(first, second) },
	})
}
