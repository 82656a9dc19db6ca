package method

import (
	"attnatlas/engine/attention"
	"attnatlas/engine/citation"
	"attnatlas/engine/encoder"
	"attnatlas/engine/messages"
	"attnatlas/engine/metrics"
	"attnatlas/engine/tensor"
	"attnatlas/engine/trace"
)

// ValueZeroing is the name of the map of value zeroing: how much the layer's output at i changes
// (cosine distance) when the value of j is set to 0, divided by the sum of its row (see
// metrics.Zeroing). The other names stand for variants: the residual stream after mixing, the
// mixer's result alone, and the product of the maps through the layers.
const (
	ValueZeroing         = "value-zeroing"
	ValueZeroingResidual = "value-zeroing residual"
	ValueZeroingMixer    = "value-zeroing mixer"
	ValueZeroingRollout  = "value-zeroing rollout"
)

func init() {
	register(Method{
		Name: ValueZeroing, Place: 3, Mixers: true, Facts: shareFacts,
		Formula: `Z_{ij} = \frac{D_{ij}}{\sum_k D_{ik}} \quad D_{ij} = 1 - \mathrm{cos}(y_i, y_i^{(-j)})`,
		Paper: citation.Paper{
			Authors: "Mohebbi, Zuidema, Chrupała, Alishahi", Year: 2023,
			Title: "Quantifying Context Mixing in Transformers", Venue: "EACL", ArXiv: "2301.12971", Equations: "sec. 3",
		},
		Views: []attention.View{
			{Map: ValueZeroing, Symbol: "Z"}, {Map: ValueZeroingResidual, Symbol: "Z_r"},
			{Map: ValueZeroingMixer, Symbol: "Z_m"}, {Map: ValueZeroingRollout, Symbol: "ΠZ"},
		},
		Undefined: func(e *attention.Entry) messages.Message { return e.NoValues },
		StackNote: func(e *encoder.StackEntry) messages.Message { return e.Zeroing },
		Work:      zeroingWork,
		Refuse: func(s *Subject) error {
			if err := s.hasCall("error.method.no-mixer"); err != nil {
				return err
			}
			return s.tooMuch("error.method.too-much", zeroingWork)
		},
		Measure: measureZeroing,
	})
}

// zeroingWork estimates the operations of value zeroing in all layers up to the given one. For each
// token left out, the rest of the layer computes its output again.
func zeroingWork(j Job) float64 {
	n, d := float64(j.N), float64(j.Config.Width)
	work := n * n * (encoder.RestFLOPs*d*d + 2*float64(j.Config.Heads)*d)
	if !j.Entry.NoSum.IsZero() {
		work += n * float64(j.Entry.FLOPs(j.Config, j.N))
	}
	return float64(j.Layer) * work
}

// measureZeroing measures the layers up to the requested one.
func measureZeroing(s *Subject) (f Finding, err error) {
	var maps []*tensor.T
	put := func(l int, name, tex string, value *tensor.T) {
		f.add(l+1, s.Calls[l].Mask, trace.Map{
			Name: name, Tex: tex, Kind: trace.Probability, Value: value, Axes: pairs("output", "without"),
		})
	}
	for l, call := range s.Calls[:s.Layer] {
		z, err := metrics.ValueZeroing(call, s.Turn)
		if err != nil {
			return f, err
		}
		main := z.Block
		if main == nil {
			main = z.Residual
		}
		maps = append(maps, metrics.Shares(main))
		put(l, ValueZeroing, `Z_{ij} = D_{ij}/\sum_k D_{ik} \quad D_{ij} = 1 - \cos(y_i, y_i^{\neg j})`, maps[l])
		if z.Residual != nil {
			put(l, ValueZeroingResidual,
				`D_{ij}/\sum_k D_{ik} \quad D_{ij} = 1 - \cos(x_i + m_i, x_i + m_i^{\neg j})`, metrics.Shares(z.Residual))
		}
		put(l, ValueZeroingMixer,
			`D_{ij}/\sum_k D_{ik} \quad D_{ij} = 1 - \cos(m_i, m_i^{\neg j})`, metrics.Shares(z.Mixer))
	}
	for l, through := range metrics.Through(maps) {
		put(l, ValueZeroingRollout, `R_l = Z_l R_{l-1}`, through)
	}
	return f, nil
}
