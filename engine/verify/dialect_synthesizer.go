package verify

import (
	"fmt"
	"maps"

	"attnatlas/engine/ad"
	"attnatlas/engine/attention"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
	"attnatlas/engine/trace"
)

// The references of the factorized and mixed synthesizers: the classes of the
// seed document, and the paper's authors' code in Mesh TensorFlow.
var synthesizerDialects = map[string]dialect{
	"synthesizer_mtf": {run: runMesh, inputs: []string{"q", "k", "v", "bias_additive"}},
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
