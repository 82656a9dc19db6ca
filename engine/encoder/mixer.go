package encoder

import (
	"attnatlas/engine/ad"
	"attnatlas/engine/attention"
	"attnatlas/engine/nn"
	"attnatlas/engine/trace"
)

// reported is a mixer that tells the pass when it runs.
type reported struct{ attention.Mixer }

func (m reported) Mix(p *nn.Pass, x *ad.Var) *ad.Var {
	if p.Visit != nil {
		p.Visit(m.Mixer, p, x)
	}
	return m.Mixer.Mix(p, x)
}

// reporting wraps what a builder makes.
func reporting(build Builder) Builder {
	return func(s *nn.Scope, c attention.Config) (attention.Mixer, error) {
		m, err := build(s, c)
		if err != nil {
			return nil, err
		}
		return reported{m}, nil
	}
}

// Mixing is a mixer of a model at work: what it mixes and under which mask.
type Mixing struct {
	attention.Mixer
	X    *ad.Var // [B,N,d]; in a pre-norm model already normalised
	Mask nn.Mask
}

// Mixer is what the mixer of a layer, counted from 1 as the layers are shown, does when the
// model runs on these sequences. It is false where the layer does not exist or mixes by
// something else than the model's mechanism.
func (m *Model) Mixer(p *nn.Pass, in Input, number int) (Mixing, bool) {
	type call struct {
		part *trace.Run
		what Mixing
	}
	var calls []call
	watched := *p
	watched.Run = &trace.Run{Only: []string{"nothing"}}
	watched.Visit = func(mixer any, p *nn.Pass, x *ad.Var) {
		x = p.Tape.Const(x.Value.Clone()) // a stack may take back what it computes
		calls = append(calls, call{p.Run, Mixing{mixer.(attention.Mixer), x, p.Mask}})
	}
	m.Run(&watched, in)
	if number < 1 || number > len(watched.Run.Parts) {
		return Mixing{}, false
	}
	for _, c := range calls {
		if c.part == watched.Run.Parts[number-1] {
			return c.what, true
		}
	}
	return Mixing{}, false
}
