package method

import (
	"attnatlas/engine/attention"
	"attnatlas/engine/citation"
	"attnatlas/engine/messages"
	"attnatlas/engine/metrics"
	"attnatlas/engine/tensor"
	"attnatlas/engine/trace"
)

// Norm is the name of the map ‖Σ_h A_hij f_h(x_j)‖: the length of the vector that position j adds
// to the mixer's result at i (see metrics.Norms). The other names stand for variants: for each
// head, for the values alone, with the residual stream, after the LayerNorm that can follow, and
// the share that comes from other tokens.
const (
	Norm         = "norm"
	NormHead     = "head norm"
	NormValue    = "value norm"
	NormResidual = "residual norm"
	NormAfter    = "normalised norm"
	NormMixing   = "mixing ratio"
)

func init() {
	register(Method{
		Name: Norm, Place: 4, Mixers: true, Facts: shareFacts,
		Formula: `N_{ij} = \lVert \sum_h A_{hij} f_h(x_j) \rVert \quad f_h(x_j) = v_{hj} W_{O,h}`,
		Paper: citation.Paper{
			Authors: "Kobayashi, Kuribayashi, Yokoi, Inui", Year: 2020,
			Title: "Attention is Not Only a Weight: Analyzing Transformers with Vector Norms", //nolint:misspell // its title
			Venue: "EMNLP", ArXiv: "2004.10102", Equations: "sec. 3",
		},
		Views: []attention.View{
			{Map: Norm, Symbol: "‖ΣAf(x)‖"}, {Map: NormMixing, Symbol: "r"}, {Map: NormHead, Symbol: "‖Af(x)‖"},
			{Map: NormValue, Symbol: "‖f(x)‖"}, {Map: NormResidual, Symbol: "‖ΣAf(x) + x‖"}, {Map: NormAfter, Symbol: "‖LN‖"},
		},
		Undefined: func(e *attention.Entry) messages.Message { return e.NoSum },
		Work:      normWork,
		Refuse:    func(s *Subject) error { return s.hasCall("error.method.no-mixer") },
		Measure:   measureNorm,
	})
}

// normWork estimates the operations of vector norms: one vector for each pair of tokens and each
// head.
func normWork(j Job) float64 {
	return 8 * float64(j.N) * float64(j.N) * float64(j.Config.Heads) * float64(j.Config.Width)
}

// measureNorm measures the vectors that the layer's mixer adds up.
func measureNorm(s *Subject) (f Finding, err error) {
	if err := s.Turn(); err != nil {
		return f, err
	}
	call := s.call()
	v := metrics.NormsOf(call)
	put := func(name, tex string, kind trace.Kind, value *tensor.T, axes ...trace.Axis) {
		if value != nil {
			f.add(s.Layer, call.Mask, trace.Map{Name: name, Tex: tex, Kind: kind, Value: value, Axes: axes})
		}
	}
	words, heads, token := pairs("output", "source"), trace.Axis{Role: trace.Head}, trace.Axis{Role: trace.Token}
	put(Norm, `\lVert \sum_h A_{hij} f_h(x_j) \rVert`, trace.Length, v.Sum, words...)
	put(NormHead, `\lVert A_{hij} f_h(x_j) \rVert`, trace.Length, v.Head, append([]trace.Axis{heads}, words...)...)
	put(NormValue, `\lVert f_h(x_j) \rVert`, trace.Length, v.Value, heads, token)
	put(NormResidual, `\lVert \sum_h A_{hij} f_h(x_j) + \delta_{ij} x_i \rVert`, trace.Length, v.Residual, words...)
	put(NormAfter, `\lVert \gamma \circ (t_{ij} - \bar t_{ij})/\sigma_i \rVert`, trace.Length, v.Normalised, words...)
	put(NormMixing, `\lVert \sum_{j \ne i} t_{ij} \rVert/(\lVert \sum_{j \ne i} t_{ij} \rVert + \lVert t_{ii} \rVert)`,
		trace.Gate, v.Mixing, token)
	return f, nil
}
