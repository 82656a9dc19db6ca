package encoder

import (
	"attnatlas/engine/ad"
	"attnatlas/engine/attention"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
)

// observed is a mixer that tells the pass when it runs.
type observed struct{ attention.Mixer }

func (m observed) Mix(p *nn.Pass, x *ad.Var) *ad.Var {
	if p.OnMix != nil {
		p.OnMix(p, m.Mixer, x)
	}
	return m.Mixer.Mix(p, x)
}

// observe makes a builder's mixers observed ones.
func observe(build Builder) Builder {
	return func(s *nn.Scope, c attention.Config) (attention.Mixer, error) {
		m, err := build(s, c)
		if err != nil {
			return nil, err
		}
		return observed{m}, nil
	}
}

// Mixing is one call of a layer's mixer: its input and mask.
type Mixing struct {
	Mixer attention.Mixer // nil: the layer does not exist, or mixes by something else than the model's mechanism
	X     *tensor.T       // its input [B,N,d]; in a pre-norm model already normalised
	Mask  nn.Mask
}

// Observe notes the call of a layer's mixer in the pass: the result is filled in when a model
// runs. Layers count from 1, as they are shown.
func Observe(p *nn.Pass, layer int) *Mixing {
	mixing, calls := &Mixing{}, 0
	p.OnMix = func(p *nn.Pass, m nn.Mixer, x *ad.Var) {
		if calls++; calls == layer {
			*mixing = Mixing{m, x.Value.Clone(), p.Mask}
		}
	}
	return mixing
}
