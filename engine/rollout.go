package engine

import (
	"attnatlas/engine/metrics"
	"attnatlas/engine/trace"
)

// Rollout is the name of the map of attention rollout after a layer: how much of the row's
// position comes from the column's word, if attention weights and residual connections
// were all that counts (see metrics.Rollout). Steps of one layer count as layers.
const Rollout = "rollout"

// weights is the map that Rollout multiplies.
const weights = "weights"

// rollOut adds Rollout to every layer.
func rollOut(res *Result, causal bool) error {
	if why := res.Entry.NoRollout; why != "" {
		return Errorf(Unsupported, "%s", why)
	}
	layers := make([]trace.Map, len(res.Layers))
	for i, l := range res.Layers {
		w, ok := l.Find(weights)
		if !ok {
			return Errorf(Internal, "%s of %s shows no weights", l.Name, res.ID)
		}
		layers[i] = w
	}
	for i, value := range metrics.Rollout(layers) {
		shown := trace.Map{
			Name: Rollout, Tex: `R_l = \tilde A_l R_{l-1}`, Kind: trace.Probability, Value: value,
			Axes: []trace.Axis{{Role: trace.Query}, {Role: trace.Key}},
		}
		if causal {
			shown.Reach = func(q, k int) bool { return k <= q }
		}
		res.Layers[i].Maps = append(res.Layers[i].Maps, shown)
	}
	return nil
}
