package attention

import (
	"strings"

	"attnatlas/engine/ad"
	"attnatlas/engine/nn"
	"attnatlas/engine/trace"
)

// projections are the matrices around attention, [d,d] with biases: Q, K and V of the text, and O
// of the result.
type projections struct{ q, k, v, o nn.Linear }

func newProjections(s *nn.Scope, c Config) projections {
	return projections{square(s, "Q", c), square(s, "K", c), square(s, "V", c), square(s, "O", c)}
}

// square makes a projection [d,d] with bias.
func square(s *nn.Scope, name string, c Config) nn.Linear {
	return nn.NewLinear(s, name, c.Width, c.Width)
}

// qkv returns the queries, keys and values of x [N,d]: [N,d] each.
func (m projections) qkv(p *nn.Pass, x *ad.Var) (q, k, v *ad.Var) {
	return project(p, "q", m.q, x), project(p, "k", m.k, x), project(p, "v", m.v, x)
}

// project returns Q = XW_Qᵀ + b_Q for the name "q", without b_Q if w has no bias: x [N,d] → [N,·].
func project(p *nn.Pass, name string, w nn.Linear, x *ad.Var) *ad.Var {
	y := w.Apply(p, x)
	if !p.Wants(name) {
		return y
	}
	symbol := strings.ToUpper(name)
	tex := symbol + ` = XW_` + symbol + `^\top`
	if w.B != nil {
		tex += ` + b_` + symbol
	}
	return p.Step(name, tex, trace.Activation, y, trace.Token, trace.HeadChannel)
}
