package verify

import (
	"fmt"
	"path"

	"attnatlas/engine/ad"
	"attnatlas/engine/messages"
	"attnatlas/engine/metrics"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
	"attnatlas/engine/trace"
)

// methods file the results of an attribution method for the mixer calls of a model or of a bare
// mixer. Their cases use the weights and inputs of another reference.
var methods = map[string]func(*run){"value_zeroing": fileZeroing, "norm": fileNorms}

// LeftOut returns the note for a case of an attribution method that this program does not compute,
// or the zero Message.
func (c *Case) LeftOut() messages.Message {
	switch c.Mechanism {
	case "alti", "aopc":
		return messages.New("verify.left-out", "case", c.Mechanism+"/"+c.Name, "method",
			messages.New("verify.method."+c.Mechanism))
	}
	return messages.Message{}
}

// layers files the input of every mixing layer and the output of the last one: the residual stream,
// before a LayerNorm that can follow all layers.
func (r *run) layers(shown *trace.Run) {
	for l, call := range r.mixings {
		if call.Around != nil {
			r.place(fmt.Sprintf("hidden.%d", l), call.Around.Inputs[0])
		}
	}
	if last := len(shown.Parts) - 1; last >= 0 {
		if m, ok := shown.Parts[last].Find("layer output"); ok {
			r.place(fmt.Sprintf("hidden.%d", len(r.mixings)), m.Value)
		}
	}
}

// bare reports whether the case is a mixer without layers, whose arrays have no layer numbers.
func (r *run) bare() bool { return r.shape("x") != nil }

// name returns the name of a layer's array.
func (r *run) name(of string, layer int) string {
	if r.bare() {
		return of
	}
	return fmt.Sprintf("%s.%d", of, layer)
}

// placed is an array with its name in a layer.
type placed struct {
	name  string
	value *tensor.T
}

// placeAll files the existing arrays of a layer.
func (r *run) placeAll(layer int, all ...placed) {
	for _, a := range all {
		if a.value != nil {
			r.place(r.name(a.name, layer), a.value)
		}
	}
}

// fileZeroing files distances, maps and rollout of value zeroing, for every kind of output.
func fileZeroing(r *run) {
	maps := map[string][]*tensor.T{}
	for l, call := range r.mixings {
		z := must(metrics.ValueZeroing(call, always))
		if z == nil {
			fail("no-values")
		}
		for kind, d := range map[string]*tensor.T{"mixer": z.Mixer, "residual": z.Residual, "block": z.Block} {
			if d != nil {
				maps[kind] = append(maps[kind], metrics.Shares(d))
				r.placeAll(l, placed{"distance_" + kind, d}, placed{"map_" + kind, maps[kind][l]})
			}
		}
		r.placeAll(l, placed{"change_l2", z.Change}, placed{"weights", weightsOf(call)})
	}
	for kind, steps := range maps {
		for l, t := range metrics.Through(steps) {
			r.placeAll(l, placed{"rollout_" + kind, t})
		}
	}
}

// weightsOf returns the weights of a mixer that is a weighted sum of values, or nil for other
// mixers.
func weightsOf(call nn.Mixing) *tensor.T {
	if t := metrics.TermsOf(call); t != nil {
		return t.Weights()
	}
	return nil
}

// always is a Turn that does not wait.
func always() error { return nil }

// fileNorms files the norms of the terms, their mixing ratios, and the rollout of their shares.
func fileNorms(r *run) {
	var shares []*tensor.T
	for l, call := range r.mixings {
		v := metrics.NormsOf(call)
		if v == nil {
			fail("no-sum")
		}
		r.placeAll(l, placed{"fx_norm", v.Value}, placed{"afx_norm", v.Head}, placed{"sum_afx_norm", v.Sum},
			placed{"res_norm", v.Residual}, placed{"resln_norm", v.Normalised}, placed{"weights", weightsOf(call)},
			placed{"mixing_attn", v.Mixing}, placed{"mixing_res", v.MixingResidual}, placed{"mixing_resln", v.MixingNormalised})
		if v.Normalised != nil {
			shares = append(shares, metrics.Shares(v.Normalised))
			r.placeAll(l, placed{"resln_share", shares[l]})
		}
	}
	for l, t := range metrics.Through(shares) {
		r.placeAll(l, placed{"resln_rollout", t})
	}
}

// rolloutFlow computes rollout and flow from given maps attn.l [B,H,N,N].
func rolloutFlow(r *run) forward {
	return func(*nn.Pass) map[string]*ad.Var {
		var layers []trace.Map
		var means []*tensor.T
		for l := 0; r.shape(fmt.Sprintf("attn.%d", l)) != nil; l++ {
			a := trace.Map{Value: r.input(fmt.Sprintf("attn.%d", l)).Sub(r.b),
				Axes: []trace.Axis{{Role: trace.Head}, {Role: trace.Query}, {Role: trace.Key}}}
			layers, means = append(layers, a), append(means, a.HeadMean().Value)
		}
		with, without := metrics.Rollout(layers), metrics.Through(means)
		for l := range layers {
			raw := must(metrics.Flow(layers, l, always))
			r.placeAll(l, placed{"rollout", with[l]}, placed{"rollout_nores", without[l]}, placed{"flow_raw", raw},
				placed{"flow", metrics.Shares(raw)})
		}
		return map[string]*ad.Var{}
	}
}

// Tolerances of attribution methods, compared with numbers computed in float64. A float32 run of
// another implementation stayed below a fifth of them. Each deliberate mistake exceeded them a
// thousandfold.
const (
	shareTolerance    = 1e-5 // maps, shares and their products
	distanceTolerance = 3e-6
	lengthTolerance   = 5e-6 // times the largest value of the array
)

// methodLimit returns the limit for the arrays of attribution methods.
func methodLimit(c *Case, name string, _ limit) limit {
	whole := lengthTolerance * largest(c.IO.Arrays[name])
	switch {
	case matches([]string{"distance_*"}, name):
		whole = distanceTolerance
	case matches([]string{"map_*", "rollout*", "flow*", "weights*", "mixing_*", "*_share*", "*_rollout*"}, name):
		whole = shareTolerance
	}
	return func(int) float64 { return whole }
}

// baseOf returns the reference whose weights the case of an attribution method uses.
func (c *Case) baseOf() string { return path.Dir(c.Config.Base) }
