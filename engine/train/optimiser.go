package train

import (
	"math"

	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
)

// moments are the moments of AdamW for one parameter.
type moments struct {
	m, v  *tensor.T
	steps int // number of updates so far; a classifier's weights get fewer than others
}

// optimiser is AdamW with clipping.
type optimiser struct {
	adamw  AdamW
	muon   Muon
	params []*nn.Param
	state  []moments
	grads  []*tensor.T // gradients of the current step
	held   []bool      // whether each parameter is fixed
}

func newOptimiser(params []*nn.Param, a AdamW, u Muon) *optimiser {
	o := &optimiser{adamw: a, muon: u, params: params, state: make([]moments, len(params)),
		grads: make([]*tensor.T, len(params)), held: make([]bool, len(params))}
	for i, p := range params {
		o.state[i] = moments{m: tensor.New(p.Value.Shape...), v: tensor.New(p.Value.Shape...)}
	}
	return o
}

// update changes every parameter that has a gradient and returns the norm of all gradients together, before clipping.
// It calls grad once for each parameter.
func (o *optimiser) update(grad func(*nn.Param) *tensor.T, rate float64) float64 {
	sum := 0.0
	for i, p := range o.params {
		o.grads[i] = nil
		if !p.Frozen && !o.held[i] {
			o.grads[i] = grad(p)
		}
		if g := o.grads[i]; g != nil {
			sum += float64(tensor.Dot(g.Data, g.Data))
		}
	}
	norm := math.Sqrt(sum)
	shrink := 1.0
	if norm > o.adamw.Clip {
		shrink = o.adamw.Clip / norm
	}
	for i, p := range o.params {
		if g := o.grads[i]; g != nil {
			o.move(p, &o.state[i], g, rate, shrink)
		}
	}
	return norm
}

func (o *optimiser) move(p *nn.Param, s *moments, g *tensor.T, rate, shrink float64) {
	s.steps++
	r, decay := o.adamw, 0.0
	if p.Decay {
		decay = r.Decay
	}
	if shrink != 1 {
		tensor.Scale(g.Data, tensor.Elem(shrink), g.Data)
	}
	if o.muon.orthogonal(p) {
		o.muon.step(p.Value, s.m, g, rate, decay)
		return
	}
	tensor.AdamW(p.Value.Data, s.m.Data, s.v.Data, g.Data, tensor.AdamStep{
		Rate: rate * p.Rate, Beta1: r.Beta1, Beta2: r.Beta2, Epsilon: r.Eps, Decay: decay, T: s.steps,
	})
}
