package verify

import (
	"slices"
	"strings"

	"attnatlas/engine/ad"
	"attnatlas/engine/attention"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
	"attnatlas/engine/trace"
)

// streamDialects are whole stacks: of two streams, of two texts, and Fastformer's.
var streamDialects = map[string]dialect{
	"fastformer_layer":   {run: computeFastformerLayer},
	"transformer_encdec": {run: computeTransformer, elementwise: stackTolerance, inputs: transformerInputs},
	"fastformer_encoder": {run: computeFastformerEncoder, elementwise: stackTolerance, inputs: []string{"input_embs"}},
}

// projected is a mixer with an output projection, which the reference keeps apart.
type projected struct {
	attention.Mixer
	o nn.Linear
}

func (m projected) Mix(p *nn.Pass, x *ad.Var) *ad.Var {
	y := p.Step("unprojected", ``, trace.Activation, m.Mixer.Mix(p, x), trace.Token, trace.Channel) // [N,d]
	return m.o.Apply(p, y)                                                                          // [N,d]
}

// mapAt finds what a part of a pass showed, "layer 1/weights".
func mapAt(run *trace.Run, path string) (trace.Map, bool) {
	for {
		name, rest, deeper := strings.Cut(path, "/")
		if !deeper {
			return run.Find(path)
		}
		i := slices.IndexFunc(run.Parts, func(r *trace.Run) bool { return r.Name == name })
		if i < 0 {
			return trace.Map{}, false
		}
		run, path = run.Parts[i], rest
	}
}

// show files what was shown under a path, if it was.
func (r *mixerRun) show(b int, run *trace.Run, path, name string) {
	if m, ok := mapAt(run, path); ok {
		r.put(name, b, m.Value)
	}
}

// stackTolerance is that of maps for the maps of whole stacks.
func stackTolerance(c *Case, name string, _ *tensor.T) func(i int) float64 {
	rounding := roundingFactor * c.Config.Rounding
	if strings.HasPrefix(name, "grad.") || c.hasEmptyText() || !strings.Contains(name, "_attn.") && !strings.Contains(name, ".weight.") {
		return nil
	}
	return func(int) float64 { return max(mapTolerance, rounding) }
}
