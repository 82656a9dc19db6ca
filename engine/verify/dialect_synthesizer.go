package verify

import (
	"fmt"
	"maps"
	"strconv"
	"strings"

	"attnatlas/engine/ad"
	"attnatlas/engine/attention"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
	"attnatlas/engine/trace"
)

// The references of the factorized and mixed synthesizers: the classes of the
// seed document, and the paper's authors' code in Mesh TensorFlow.
var synthesizerDialects = map[string]dialect{
	"seed003_fact_random": {entry: attention.FactorizedRandom, config: factorizedRandomConfig, weights: factorizedWeights, names: seedNames},
	"seed003_fact_dense":  {entry: attention.FactorizedDense, config: factorizedDenseConfig, weights: factorizedWeights, names: factorizedNames},
	"seed003_mix_rv":      mixtureDialect(attention.MixtureRV),
	"seed003_mix_rd":      mixtureDialect(attention.MixtureRD),
	"seed003_mix_dv":      mixtureDialect(attention.MixtureDV),
	"seed003_mix_rdv":     mixtureDialect(attention.MixtureRDV),
	"synthesizer_mtf":     {run: runMesh, inputs: []string{"q", "k", "v", "bias_additive"}},
}

func factorizedRandomConfig(c *Case) (attention.Config, error) {
	r, err := c.weight("R1")
	if err != nil {
		return attention.Config{}, err
	}
	a, err := seedConfig(c)
	a.Length = r.Dim(-2)
	a.Knobs = map[string]string{"k": strconv.Itoa(r.Dim(-1))}
	return a, err
}

func factorizedDenseConfig(c *Case) (attention.Config, error) {
	w, err := c.weight("synthesizer_A.0.2.weight")
	if err != nil {
		return attention.Config{}, err
	}
	a, err := seedConfig(c)
	a.Knobs = map[string]string{"a": strconv.Itoa(w.Dim(0))}
	return a, err
}

func factorizedWeights(param string, c attention.Config) []string {
	switch param {
	case "R1", "R2":
		return []string{param}
	case "W_A1", "b_A1", "W_B1", "b_B1":
		return perHead(c.Heads, "synthesizer_"+param[2:3]+".%d.0."+kind(param))
	case "W_A2", "b_A2", "W_B2", "b_B2":
		return perHead(c.Heads, "synthesizer_"+param[2:3]+".%d.2."+kind(param))
	}
	return seedWeights(param, c)
}

func factorizedNames(m trace.Map) map[string]*tensor.T {
	if m.Name != "A" && m.Name != "B" {
		return seedNames(m)
	}
	out := map[string]*tensor.T{}
	for a := range m.Value.Dim(0) {
		out[fmt.Sprintf("synthesizer_%s.%d.out", m.Name, a)] = m.Value.Sub(a)
	}
	return out
}

// mixtureDialect is the class MixtureSynthesizer with some of its parts.
func mixtureDialect(e attention.Entry) dialect {
	return dialect{entry: e, config: mixtureConfig, weights: mixtureWeights, names: mixtureNames}
}

// mixtureParts are the reference's words for the parts: of modules, of maps.
var mixtureParts = map[string][2]string{
	"random": {"random_synth.", "random"}, "dense": {"dense_synth.", "dense"}, "dot-product": {"vanilla_attn.", "vanilla"},
}

func mixtureConfig(c *Case) (attention.Config, error) {
	for _, part := range mixtureParts {
		if w, ok := c.Weights.Arrays[part[0]+"W_v.weight"]; ok {
			return attention.Config{
				Width: w.Dim(0), Heads: c.Config.Heads, Length: c.Config.MaxLen, Knobs: map[string]string{"mix": "outputs"},
			}, nil
		}
	}
	return attention.Config{}, fmt.Errorf("verify: %s/%s: no part of a mixture has weights", c.Mechanism, c.Name)
}

func mixtureWeights(param string, c attention.Config) []string {
	part, own, ok := strings.Cut(param, "/")
	if !ok {
		return []string{param} // alphas
	}
	names := seedWeights(own, c)
	for i := range names {
		names[i] = mixtureParts[part][0] + names[i]
	}
	return names
}

func mixtureNames(m trace.Map) map[string]*tensor.T {
	part, own, ok := strings.Cut(m.Name, "/")
	switch {
	case m.Name == "alphas":
		return map[string]*tensor.T{"scores_masked.alpha": m.Value}
	case m.Name == "alpha":
		return map[string]*tensor.T{"weights.alpha": m.Value}
	case !ok:
		return nil
	case own == "out":
		return map[string]*tensor.T{mixtureParts[part][0] + "out": m.Value}
	}
	m.Name = own
	out := map[string]*tensor.T{}
	for name, value := range seedNames(m) {
		if which, ok := strings.CutSuffix(name, ".attn"); ok {
			out[which+"."+mixtureParts[part][1]] = value
		} else {
			out[mixtureParts[part][0]+name] = value
		}
	}
	return out
}

// meshModes are the modes of the authors' code that we offer. Its mode
// "factorized" is not among them: it sums over the wrong axis.
var meshModes = map[string]struct {
	entry attention.Entry
	knobs map[string]string
}{
	"random":            {attention.Random, nil},
	"random_plus":       {attention.MixtureRV, map[string]string{"mix": "sum"}},
	"random_plus_alpha": {attention.MixtureRV, map[string]string{"mix": "gate"}},
	"dense_minus":       {attention.Dense, map[string]string{"hidden": "query"}},
	"dense_plus":        {attention.MixtureDV, map[string]string{"mix": "sum", "hidden": "query"}},
	"dense_plus_alpha":  {attention.MixtureDV, map[string]string{"mix": "gate", "hidden": "query"}},
}

// meshRun is a case of the authors' code, which begins after the projections
// and ends before the last one: q, k, v [B,N,H,d_h] → out [B,N,H,d_h].
type meshRun struct {
	c       *Case
	inputs  [3]*tensor.T // q, k, v
	core    attention.Core
	weights map[string]*nn.Param // by the reference's names
	out     computed
}

// meshAxes are the orders of axes that turn the reference's weights into ours
// and, since they only swap, ours into the reference's.
var meshAxes = map[string][]int{"R": {1, 0, 2}, "pi/kernel": {1, 0}, "alpha": {0}}

func runMesh(c *Case) (computed, error) {
	r := &meshRun{c: c, weights: map[string]*nn.Param{}, out: computed{}}
	for i, name := range [...]string{"q", "k", "v"} {
		x, err := c.input(name)
		if err != nil {
			return nil, err
		}
		if x.Rank() != 4 {
			return nil, fmt.Errorf("verify: %s/%s: %s has shape %v, wanted [B,N,H,d_h]", c.Mechanism, c.Name, name, x.Shape)
		}
		r.inputs[i] = x
	}
	if err := r.build(); err != nil {
		return nil, err
	}
	for b := range r.inputs[0].Dim(0) {
		if err := r.sequence(b); err != nil {
			return nil, err
		}
	}
	return r.out, nil
}

func (r *meshRun) build() error {
	mode, ok := meshModes[r.c.Config.Mode]
	if !ok {
		return fmt.Errorf("verify: %s/%s: the mode %q is not offered", r.c.Mechanism, r.c.Name, r.c.Config.Mode)
	}
	heads, width := r.inputs[0].Dim(2), r.inputs[0].Dim(3)
	length := r.inputs[0].Dim(1)
	for name, w := range r.c.Weights.Arrays {
		if _, ok := meshAxes[name]; ok && name != "alpha" {
			length = w.Dim(-1) // L is the last axis of R and of π
		}
	}
	s := nn.NewScope(0)
	mixer, err := mode.entry.New(s, attention.Config{Width: heads * width, Heads: heads, Length: length, Knobs: maps.Clone(mode.knobs)})
	if err != nil {
		return fmt.Errorf("verify: %s/%s: %w", r.c.Mechanism, r.c.Name, err)
	}
	r.core = mixer.(attention.Core)
	for _, p := range s.Params() {
		name := p.Name
		if name == "pi" {
			name = "pi/kernel"
		}
		axes, ok := meshAxes[name]
		if !ok {
			continue // a projection
		}
		w, err := r.c.weight(name)
		if err != nil {
			return err
		}
		if w.Rank() != len(axes) || w.Len() != p.Value.Len() {
			return fmt.Errorf("verify: %s/%s: %s has shape %v, ours is %v", r.c.Mechanism, r.c.Name, name, w.Shape, p.Value.Shape)
		}
		copy(p.Value.Data, permute(w, axes...).Data)
		r.weights[name] = p
	}
	return nil
}

// sequence runs sequence b forwards and backwards.
func (r *meshRun) sequence(b int) error {
	n, heads, width := r.inputs[0].Dim(1), r.inputs[0].Dim(2), r.inputs[0].Dim(3)
	p := nn.NewPass(ad.NewTape())
	p.Run = &trace.Run{}
	var err error
	if p.Mask, err = r.c.biasMask(b, n); err != nil {
		return err
	}
	var in [3]*ad.Var
	for i, x := range r.inputs {
		in[i] = p.Tape.Leaf(tensor.From(x.Sub(b).Data, 1, n, heads*width))
	}
	y := r.core.Attend(p, in[0], in[1], in[2])
	r.place("out", b, y.Value)
	for name, step := range map[string]string{"logits.0": "masked", "weights.0": "weights"} {
		if m, ok := p.Run.Find(step); ok {
			r.place(name, b, permute(m.Value, 1, 0, 2)) // [H,N,N] → [N,H,N]
		}
	}
	w, ok := r.c.IO.Arrays["loss_w"]
	if !ok {
		return nil
	}
	p.Tape.Backward(y, tensor.From(w.Sub(b).Data, y.Shape()...))
	for i, name := range [...]string{"q", "k", "v"} {
		if g := in[i].Grad(); g != nil {
			r.place("grad.input."+name, b, g)
		}
	}
	for name, param := range r.weights {
		g := permute(p.Grad(param), meshAxes[name]...)
		if sum, ok := r.out["grad."+name]; ok {
			tensor.Add(sum.Data, sum.Data, g.Data)
		} else {
			r.out["grad."+name] = g
		}
	}
	return nil
}

// place copies what sequence b has computed into the array that the case has
// for it: one part for each sequence, or one for all.
func (r *meshRun) place(name string, b int, value *tensor.T) {
	want, ok := r.c.IO.Arrays[name]
	if !ok || want.Len() != value.Len() && want.Len() != value.Len()*r.inputs[0].Dim(0) {
		return
	}
	if r.out[name] == nil {
		r.out[name] = tensor.New(want.Shape...)
	}
	if at := b * value.Len(); at < want.Len() {
		copy(r.out[name].Data[at:], value.Data)
	}
}

// permute is x with its axes in another order: axis i of the result is axis
// order[i] of x.
func permute(x *tensor.T, order ...int) *tensor.T {
	strides, shape, step := make([]int, x.Rank()), make([]int, x.Rank()), make([]int, x.Rank())
	for i, size := x.Rank()-1, 1; i >= 0; i-- {
		strides[i] = size
		size *= x.Dim(i)
	}
	for i, axis := range order {
		shape[i], step[i] = x.Dim(axis), strides[axis]
	}
	y := tensor.New(shape...)
	for at := range y.Data {
		from, rest := 0, at
		for i := len(shape) - 1; i >= 0; i-- {
			from += rest % shape[i] * step[i]
			rest /= shape[i]
		}
		y.Data[at] = x.Data[from]
	}
	return y
}
