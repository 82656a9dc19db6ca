package encoder

import (
	"attnatlas/engine/ad"
	"attnatlas/engine/attention"
	"attnatlas/engine/nn"
)

// observed is a mixer that reports its calls to the pass.
type observed struct{ attention.Mixer }

// Mix passes the mixer and its input to OnMix, if there is one, and applies the mixer.
func (m observed) Mix(p *nn.Pass, x *ad.Var) *ad.Var {
	if p.OnMix != nil {
		p.OnMix(p, m.Mixer, x)
	}
	return m.Mixer.Mix(p, x)
}

// observe makes a builder return observed mixers.
func observe(build Builder) Builder {
	return func(s *nn.Scope, c attention.Config) (attention.Mixer, error) {
		m, err := build(s, c)
		if err != nil {
			return nil, err
		}
		return observed{m}, nil
	}
}

// Mixing is one call of a layer's mixer.
type Mixing = nn.Mixing

// Observe records call number layer, counted from 1, of the mixers in the pass. The result is
// filled in when a model runs.
func Observe(p *nn.Pass, layer int) *Mixing {
	mixing, calls := &Mixing{}, 0
	onMix(p, func(p *nn.Pass, m nn.Mixer, x *ad.Var) {
		if calls++; calls == layer {
			*mixing = p.Note(m, x)
		}
	})
	return mixing
}

// ObserveFirst records the calls of the mixers of the first layers. The result is filled in, up to
// that number of calls, when a model runs.
func ObserveFirst(p *nn.Pass, layers int) *[]Mixing {
	calls := &[]Mixing{}
	onMix(p, func(p *nn.Pass, m nn.Mixer, x *ad.Var) {
		if len(*calls) < layers {
			*calls = append(*calls, p.Note(m, x))
		}
	})
	return calls
}

// onMix adds a function that sees the mixers of a pass after the functions that are already there.
func onMix(p *nn.Pass, see func(p *nn.Pass, m nn.Mixer, x *ad.Var)) {
	before := p.OnMix
	p.OnMix = func(p *nn.Pass, m nn.Mixer, x *ad.Var) {
		if before != nil {
			before(p, m, x)
		}
		see(p, m, x)
	}
}
