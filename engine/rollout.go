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
	if why := res.Entry.NoRollout; !why.IsZero() {
		return &Error{Kind: Unsupported, Msg: why}
	}
	return addRollout(res.Layers, causal)
}

// addRollout adds Rollout to layers of which each reads the one before.
func addRollout(layers []Layer, causal bool) error {
	maps, err := weightMaps(layers)
	if err != nil {
		return err
	}
	for i, value := range metrics.Rollout(maps) {
		shown := trace.Map{
			Name: Rollout, Tex: `R_l = \tilde A_l R_{l-1}`, Kind: trace.Probability, Value: value,
			Axes: []trace.Axis{{Role: trace.Query, Name: "word"}, {Role: trace.Key, Name: "comes from"}},
		}
		if causal {
			shown.Reach = func(q, k int) bool { return k <= q }
		}
		layers[i].Maps = append(layers[i].Maps, shown)
	}
	return nil
}

// weightMaps are the attention weights of layers, of the heads that are not cut.
func weightMaps(layers []Layer) ([]trace.Map, error) {
	maps := make([]trace.Map, len(layers))
	for i, l := range layers {
		w, ok := l.Find(weights)
		if !ok {
			return nil, Errorf(Internal, "error.no-weights", "layer", l.Number)
		}
		maps[i] = w.Without(l.CutHeads)
	}
	return maps, nil
}
