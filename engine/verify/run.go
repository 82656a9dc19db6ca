package verify

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"attnatlas/engine/ad"
	"attnatlas/engine/checkpoint"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
	"attnatlas/engine/trace"
)

// mostNumbers is the most numbers in the parameters of a case.
const mostNumbers = 1 << 28

// computed holds our results for a case, by the names of the reference.
type computed map[string]*tensor.T

// run is a case in progress. Sequences run one at a time, like a visitor's text. Gradients of the
// weights are added.
type run struct {
	Case
	ref     reference
	names   *names
	count   int // number of sequences
	b       int // index of the sequence
	scope   *nn.Scope
	inputs  map[string]*ad.Var // inputs with gradients
	out     computed
	mixings []nn.Mixing // calls of the sequence's mixers, if ref.after needs them
	// Fields that build can set:
	params []*nn.Param                 // nil: the parameters of the scope
	weight func(param string) []string // possible places of a parameter; default: names.toml
	slots  func(p *nn.Param) []slot    // places of a parameter; default: weight
	show   func(shown *trace.Run)      // files values that names alone cannot describe; default: none
}

// compute runs a case.
func (c *Case) compute(ref reference) computed {
	r := &run{Case: *c, ref: ref, names: ref.names(), out: computed{}}
	r.IO = &checkpoint.File{Arrays: maps.Clone(c.IO.Arrays)}
	r.names.turn(r.IO.Arrays)
	for name := range r.IO.Arrays { // a weight without effect on the result has gradient 0
		if w := r.Weights.Arrays[strings.TrimPrefix(name, "grad.")]; w != nil && strings.HasPrefix(name, "grad.") {
			r.out[name] = tensor.New(w.Shape...)
		}
	}
	r.count = 1
	if ref.each != "" {
		r.count = r.input(ref.each).Dim(0)
	}
	for r.b = range r.count {
		r.sequence()
	}
	r.names.turn(r.out)
	return r.out
}

// sequence builds the model for a sequence and runs it forwards and backwards.
func (r *run) sequence() {
	r.scope, r.inputs = nn.NewScope(0).Limit(mostNumbers), map[string]*ad.Var{}
	r.params, r.weight, r.slots, r.show = nil, r.names.weight, r.named, func(*trace.Run) {}
	forward := r.ref.build(r)
	if r.params == nil {
		r.params = r.scope.Params()
	}
	places := r.fill()
	p := nn.NewPass(ad.NewTape())
	p.Run = &trace.Run{}
	r.mixings = nil
	if r.ref.after != nil {
		p.OnMix = func(p *nn.Pass, m nn.Mixer, x *ad.Var) { r.mixings = append(r.mixings, p.Note(m, x)) }
	}
	outputs := forward(p)
	for name, y := range outputs {
		for _, theirs := range r.names.theirs(name) {
			r.put(theirs, y.Value)
		}
	}
	r.shown("", p.Run)
	r.show(p.Run)
	if r.ref.after != nil {
		r.layers(p.Run)
		r.ref.after(r)
	}
	if loss := r.loss(outputs); loss != nil {
		p.Tape.Backward(loss, tensor.From([]tensor.Elem{1}))
		r.gradients(p, places)
	}
}

// leaf puts an input on the tape: the sequence [1,N,…], or the batch.
func (r *run) leaf(p *nn.Pass, name string) *ad.Var {
	x := r.input(name)
	if r.ref.each != "" {
		x = tensor.From(x.Sub(r.b).Data, append([]int{1}, x.Shape[1:]...)...)
	}
	r.inputs[name] = p.Tape.Leaf(x)
	return r.inputs[name]
}

// shown files every recorded value of the pass and its parts that the reference names.
func (r *run) shown(path string, run *trace.Run) {
	for _, m := range run.Steps {
		r.file(path+m.Name, m.Value)
	}
	for _, part := range run.Parts {
		r.shown(path+part.Name+"/", part)
	}
}

// file stores a value under the reference's names for it. "*" in a name is replaced by 0, 1, …, for
// the parts of the value's first axis.
func (r *run) file(ours string, value *tensor.T) {
	for _, name := range r.names.value(ours) {
		if !strings.Contains(name, "*") {
			r.put(name, value)
			continue
		}
		for i := range value.Dim(0) {
			r.put(strings.Replace(name, "*", strconv.Itoa(i), 1), value.Sub(i))
		}
	}
}

// put files a value of the sequence under a name, and as a call with that name.
func (r *run) put(name string, value *tensor.T) {
	r.place(name, value)
	for _, call := range [...]string{fmt.Sprintf("%s.%d", name, r.b), fmt.Sprintf("%s.sample%d", name, r.b)} {
		if want, ok := r.IO.Arrays[call]; ok && want.Len() == value.Len() {
			r.out[call] = value.Clone().Reshape(want.Shape...)
		}
	}
	if want, ok := r.IO.Arrays[name+".0"]; ok && want.Len() != value.Len() {
		r.place(name+".0", value)
	}
}

// place copies a value into the sequence's part of the array with that name, or into its beginning
// if the text was padded. An array without a batch axis holds a value common to all sequences.
func (r *run) place(name string, value *tensor.T) {
	shape := r.shape(name)
	if shape == nil {
		return
	}
	to := r.out[name]
	if to == nil {
		to = tensor.New(shape...)
		r.out[name] = to
	}
	sequences := r.ref.each != "" && len(shape) > 0 && shape[0] == r.count
	if value.Rank() == len(shape) && value.Dim(0) == 1 {
		value = value.Sub(0)
	}
	switch {
	case r.count*value.Len() == to.Len():
		copy(to.Data[r.b*value.Len():], value.Data)
	case sequences && value.Rank() == len(shape)-1:
		crop(to.Sub(r.b).Data, shape[1:], value.Data, value.Shape)
	case to.Len() == value.Len() && r.b == 0:
		copy(to.Data, value.Data)
	case !slices.Equal(to.Data, value.Data):
		fail("unlike", "name", name, "shape", shape, "ours", value.Shape, "count", r.count)
	}
}

// loss returns the weighted sum of the outputs, with the weights of the case.
func (r *run) loss(outputs map[string]*ad.Var) *ad.Var {
	var loss *ad.Var
	for _, name := range slices.Sorted(maps.Keys(outputs)) {
		w := r.IO.Arrays["loss_w."+name]
		if w == nil && len(outputs) == 1 {
			w = r.IO.Arrays["loss_w"]
		}
		if w == nil {
			continue
		}
		if r.ref.each != "" {
			w = w.Sub(r.b)
		}
		y := outputs[name]
		part := tensor.New(y.Shape()...) // positions beyond the text do not contribute to the loss
		if part.Len() == w.Len() {
			copy(part.Data, w.Data)
		} else {
			crop(part.Data, part.Shape[part.Rank()-w.Rank():], w.Data, w.Shape)
		}
		if d := ad.Dot(y, part); loss == nil {
			loss = d
		} else {
			loss = ad.Add(loss, d)
		}
	}
	return loss
}
