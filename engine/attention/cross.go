package attention

import (
	"attnatlas/engine/ad"
	"attnatlas/engine/nn"
	"attnatlas/engine/trace"
)

// Cross lets one sequence attend to another: x [N,d] and memory [M,d] → [N,d]. The mask of the pass
// applies to the memory.
type Cross interface {
	Read(p *nn.Pass, x, memory *ad.Var) *ad.Var
}

// NewCross makes dot-product attention with queries from one sequence, and keys and values from
// another (Vaswani et al. 2017, arXiv:1706.03762, sec. 3.2.3, "encoder-decoder attention"):
//
//	Q = XW_Qᵀ + b_Q    K = MW_Kᵀ + b_K    V = MW_Vᵀ + b_V    A = softmax(QKᵀ/√d_h) [H,N,M]
//
// Parameters: 4d² + 4d.
func NewCross(s *nn.Scope, c Config) (Cross, error) {
	m, err := DotProduct.New(s, c)
	if err != nil {
		return nil, err
	}
	return m.(*Product).Cross(), nil
}

// Cross returns cross-attention with the same parameters: queries from one sequence, keys and
// values from another. It uses neither Turn nor Bias.
func (m *Product) Cross() Cross { return (*cross)(m) }

type cross Product

// Read returns the output [N,d] for x, whose tokens attend to those of memory.
func (m *cross) Read(p *nn.Pass, x, memory *ad.Var) *ad.Var {
	q := p.Step("q", `Q = XW_Q^\top + b_Q`, trace.Activation, m.Q.Apply(p, x), trace.Query, trace.HeadChannel) // [N,d]
	k, v := p.Once(func() (k, v *ad.Var) {
		k = p.Step("k", `K = MW_K^\top + b_K`, trace.Activation, m.K.Apply(p, memory), trace.Key, trace.HeadChannel) // [M,d]
		v = p.Step("v", `V = MW_V^\top + b_V`, trace.Activation, m.V.Apply(p, memory), trace.Key, trace.HeadChannel) // [M,d]
		return k, v
	})
	y := readHeads(p, q, v, m.Formula, productScores(q, k, m.Heads, m.Scale))
	return p.Project(m.O, y) // [N,d]
}
