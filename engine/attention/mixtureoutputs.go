package attention

import (
	"slices"

	"attnatlas/engine/ad"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
	"attnatlas/engine/trace"
)

// outputMixture mixes the results of complete attentions: mix = outputs.
type outputMixture struct {
	parts
	mixers []Mixer
	alpha  *nn.Param // [C]
}

func newOutputMixture(s *nn.Scope, c Config, m parts) (*outputMixture, error) {
	x := &outputMixture{parts: m, alpha: m.newAlpha(s, "outputs")}
	for _, e := range m.entries() {
		mixer, err := e.New(s.In(e.ID), m.of(e, c))
		if err != nil {
			return nil, err
		}
		x.mixers = append(x.mixers, mixer)
	}
	return x, nil
}

func (m *outputMixture) Mix(p *nn.Pass, x *ad.Var) *ad.Var {
	var ys []*ad.Var
	var maps []trace.Map
	for i, name := range m.names() {
		part := p.In(name)
		ys = append(ys, part.Step("out", `Y_c`, trace.Activation, m.mixers[i].Mix(part, x), trace.Token, trace.Channel)) // [N,d]
		if part.Watched() {
			a, _ := part.Run.Find("weights")
			maps = append(maps, a)
			a.Name = name + " weights"
			p.Show(a)
		}
	}
	alpha := m.shares(p, "outputs", m.alpha) // [C]
	if p.Watched() {
		showMean(p, alpha.Value, maps)
	}
	return p.Step("mixed outputs", `Y = \sum_c \alpha_c Y_c`, trace.Activation, ad.Combine(alpha, ys), trace.Token, trace.Channel) // [N,d]
}

// showMean shows Σ_c α_c·A_c as the map "weights".
func showMean(p *nn.Pass, alpha *tensor.T, maps []trace.Map) {
	t := ad.NewFrozen()
	mean := slices.MaxFunc(maps, func(a, b trace.Map) int { return a.Value.Rank() - b.Value.Rank() })
	values := make([]*ad.Var, len(maps))
	for i, m := range maps {
		values[i] = t.Const(m.Value)
	}
	mean.Value = ad.Combine(t.Const(alpha), values).Value
	mean.Tex = `\sum_c \alpha_c A_c`
	p.Show(mean)
}
