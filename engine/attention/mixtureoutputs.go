package attention

import (
	"slices"

	"attnatlas/engine/ad"
	"attnatlas/engine/nn"
	"attnatlas/engine/trace"
)

// outputMixture mixes the results of complete attentions: mix = outputs.
type outputMixture struct {
	mixtureConfig
	mixers []Mixer
	alpha  *nn.Param // [C]
}

func (o mixtureConfig) newOutputMixture(s *nn.Scope) (*outputMixture, error) {
	m := &outputMixture{mixtureConfig: o, alpha: o.newAlpha(s)}
	for _, e := range o.parts {
		mixer, err := e.New(s.In(e.ID), o.alone(e))
		if err != nil {
			return nil, err
		}
		m.mixers = append(m.mixers, mixer)
	}
	return m, nil
}

// Mix returns the output [B,N,d] for x [B,N,d], the weighted sum of its components’ outputs.
func (m *outputMixture) Mix(p *nn.Pass, x *ad.Var) *ad.Var {
	alpha := m.shares(p, m.alpha) // [C]
	var ys []*ad.Var
	var runs []*trace.Run
	for i, name := range m.names() {
		part := p.In(name).Portion(float64(alpha.Value.Data[i]))
		ys = append(ys, part.Step("out", `Y_c`, trace.Activation, m.mixers[i].Mix(part, x), trace.Token,
			trace.Channel)) // [N,d]
		if part.Watched() {
			runs = append(runs, part.Run)
			if a, ok := part.Run.Find("weights"); ok {
				v := recorded(p, part.Run, a)
				a.Name = name + " weights"
				p.ShowVar(a, ad.Reshape(v, v.Shape()...)) // a separate array with its own name
			}
			if s, ok := part.Run.Find("scores"); ok && p.Wants(name+termName) {
				showTerm(p, name, alpha, i, recorded(p, part.Run, s))
			}
		}
	}
	showMean(p, alpha, "scores", `\sum_c \alpha_c S_c`, runs)
	showMean(p, alpha, "weights", `\sum_c \alpha_c A_c`, runs)
	return p.Step("mixed outputs", `Y = \sum_c \alpha_c Y_c`, trace.Activation, ad.Combine(alpha, ys), trace.Token,
		trace.Channel) // [N,d]
}

// showMean records the weighted sum of the components' maps with a given name.
func showMean(p *nn.Pass, alpha *ad.Var, name, tex string, parts []*trace.Run) {
	if !p.Wants(name) {
		return
	}
	var mean trace.Map // with the axes of the highest rank: only some maps differ between texts
	var values []*ad.Var
	for i, part := range parts {
		m, _ := part.Find(name) // a component records the same maps as the mixture
		values = append(values, recorded(p, part, m))
		if i == 0 || m.Value.Rank() > mean.Value.Rank() {
			mean = m
		}
	}
	mean.Tex = tex
	p.ShowVar(mean, ad.Combine(alpha, values))
}

// recorded returns the array of a map that a component recorded. On a tape that explains, it is the array from which
// the map was taken, so that its numbers can be traced further.
func recorded(p *nn.Pass, part *trace.Run, m trace.Map) *ad.Var {
	for _, n := range slices.Backward(p.Named()) {
		if n.Run == part && n.Name == m.Name {
			return n.Var
		}
	}
	return p.Tape.Const(m.Value)
}
