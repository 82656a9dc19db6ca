package method

import (
	"attnatlas/engine/attention"
	"attnatlas/engine/encoder"
	"attnatlas/engine/messages"
	"attnatlas/engine/metrics"
	"attnatlas/engine/trace"
)

// Rollout is the name of the map of attention rollout after a layer: the share of the row's
// position that comes from the column's token, if attention weights and residual connections were
// all that counts (see metrics.Rollout). The recurrent steps of one layer count as layers.
const Rollout = "rollout"

func init() {
	register(Method{
		Name: Rollout, Place: 2, Whole: true, Paper: abnar,
		Formula:   `R_l = \tilde A_l R_{l-1} \quad \tilde A_l = \frac{A_l + I}{2}`,
		Views:     []attention.View{{Map: Rollout, Symbol: "R"}},
		Undefined: func(e *attention.Entry) messages.Message { return e.NoRollout },
		StackNote: func(e *encoder.StackEntry) messages.Message { return e.Rollout },
		Measure:   measureRollout,
	})
}

// measureRollout measures all layers; the rollout of each layer builds on the layer before.
func measureRollout(s *Subject) (f Finding, err error) {
	weights, err := s.Weights(s.Depth)
	if err != nil {
		return f, err
	}
	for l, value := range metrics.Rollout(weights) {
		f.add(l+1, s.mask(), trace.Map{
			Name: Rollout, Tex: `R_l = \tilde A_l R_{l-1}`, Kind: trace.Probability, Value: value,
			Axes: pairs("word", "comes from"),
		})
	}
	return f, nil
}
