package method

import (
	"attnatlas/engine/attention"
	"attnatlas/engine/encoder"
	"attnatlas/engine/messages"
	"attnatlas/engine/metrics"
	"attnatlas/engine/trace"
)

// Flow is the name of the map of attention flow: the largest flow from input j to position i after
// the layer, divided by the sum of its row (see metrics.Flow).
const Flow = "flow"

// MostFlow is the most tokens for which attention flow is computed, because each pair of tokens is
// a maximum-flow problem of its own.
const MostFlow = 32

func init() {
	register(Method{
		Name: Flow, Place: 5, Paper: abnar, Facts: shareFacts,
		Formula: `F_{ij} = \frac{f_{ij}}{\sum_k f_{ik}} \quad ` +
			`f_{ij} = \mathrm{maxflow}(i \to j) \text{ through } \tilde A_l, …, \tilde A_1`,
		Views: []attention.View{{Map: Flow, Symbol: "F"}},
		Undefined: func(e *attention.Entry) messages.Message {
			if e.NoRollout.IsZero() {
				return e.NoRollout
			}
			return messages.New("error.method.flow", "why", e.NoRollout)
		},
		StackNote: func(e *encoder.StackEntry) messages.Message { return e.Rollout },
		Work:      flowWork,
		Refuse: func(s *Subject) error {
			if s.N <= MostFlow {
				return nil
			}
			return messages.Errorf("error.method.flow-length", "most", MostFlow, "tokens", s.N, "over", s.N-MostFlow)
		},
		Measure: measureFlow,
	})
}

// flowWork estimates the operations of attention flow up to the layer. Each pair is a problem that
// visits every connection a few times.
func flowWork(j Job) float64 {
	if j.N > MostFlow {
		return 0
	}
	words := float64(j.N) * float64(j.N)
	return 200 * words * words * float64(j.Layer)
}

// measureFlow measures attention flow after the layer.
func measureFlow(s *Subject) (f Finding, err error) {
	weights, err := s.Weights(s.Layer)
	if err != nil {
		return f, err
	}
	raw, err := metrics.Flow(weights, s.Layer-1, s.Turn)
	if err != nil {
		return f, err
	}
	f.add(s.Layer, s.mask(), trace.Map{
		Name: Flow, Kind: trace.Probability, Value: metrics.Shares(raw), Axes: pairs("word", "comes from"),
		Tex: `f_{ij}/\sum_k f_{ik} \quad f_{ij} = \max \text{flow}(i \to j) \text{ through } \tilde A_l, …, \tilde A_1`,
	})
	if metrics.Saturated(raw, reachOf(s.mask())) {
		f.Remark = "saturated"
	}
	return f, nil
}
