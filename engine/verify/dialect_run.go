package verify

import (
	"fmt"
	"slices"
	"strings"

	"attnatlas/engine/ad"
	"attnatlas/engine/attention"
	"attnatlas/engine/metrics"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
	"attnatlas/engine/trace"
)

// computed is what our code makes of a case, by the names of the reference.
type computed map[string]*tensor.T

// mixerRun is one case of a mixer on its way through our code. Sequences are
// run one at a time, as a visitor's text is; gradients of the weights add up.
type mixerRun struct {
	c       *Case
	d       *dialect
	sizes   attention.Config
	mixer   attention.Mixer
	params  []*nn.Param
	weights [][]string // the reference's names of each parameter, in the order of its memory
	out     computed
}

// compute runs a case.
func compute(c *Case) (out computed, err error) {
	if ref, ok := references[c.Mechanism]; ok {
		defer caught(c.Mechanism+"/"+c.Name, &err)
		return c.compute(ref), nil
	}
	d, ok := dialects[c.Mechanism]
	if !ok {
		return nil, fmt.Errorf("verify: %s/%s: this program does not know the reference %q; it knows %s",
			c.Mechanism, c.Name, c.Mechanism, strings.Join(Known(), ", "))
	}
	if d.run != nil {
		return d.run(c)
	}
	if d.bind != nil {
		var err error
		if d, err = d.bind(c); err != nil {
			return nil, err
		}
	}
	if d.timeMajor {
		out, err := d.compute(c.batchMajor())
		return out.timeMajor(), err
	}
	return d.compute(c)
}

// compute runs a case of a whole mixer.
func (d *dialect) compute(c *Case) (computed, error) {
	r := &mixerRun{c: c, d: d, out: computed{}}
	if err := r.build(); err != nil {
		return nil, err
	}
	x, err := c.input("x")
	if err != nil {
		return nil, err
	}
	if x.Rank() != 3 {
		return nil, fmt.Errorf("verify: %s/%s: x has shape %v, wanted [B,N,d]", c.Mechanism, c.Name, x.Shape)
	}
	for b := range x.Dim(0) {
		if err := r.sequence(b, tensor.From(x.Sub(b).Data, 1, x.Dim(1), x.Dim(2))); err != nil {
			return nil, err
		}
	}
	return r.out, nil
}

// build makes the mixer and fills it with the reference's weights.
func (r *mixerRun) build() error {
	c, err := r.d.config(r.c)
	if err != nil {
		return err
	}
	r.sizes = c
	s := nn.NewScope(0)
	if r.mixer, err = r.d.entry.New(s, c); err != nil {
		return fmt.Errorf("verify: %s/%s: %w", r.c.Mechanism, r.c.Name, err)
	}
	return r.adopt(s.Params(), func(param string) []string { return r.d.weights(param, c) })
}

// adopt fills parameters with the reference's weights.
func (r *mixerRun) adopt(params []*nn.Param, of func(param string) []string) error {
	r.params = params
	for _, p := range r.params {
		names := of(p.Name)
		if len(names) == 0 {
			return fmt.Errorf("verify: %s: no name for the parameter %q", r.c.Mechanism, p.Name)
		}
		r.weights = append(r.weights, names)
		if err := r.fill(p, names); err != nil {
			return err
		}
	}
	return nil
}

// fill lays the reference's weights one after the other into a parameter.
func (r *mixerRun) fill(p *nn.Param, names []string) error {
	at := 0
	if names[0] == unused {
		return nil
	}
	for _, name := range names {
		w, err := r.weight(name)
		if err != nil {
			return err
		}
		if at+w.Len() > p.Value.Len() {
			return fmt.Errorf("verify: %s/%s: %q has shape %v, too large for %q %v", r.c.Mechanism, r.c.Name, name, w.Shape, p.Name, p.Value.Shape)
		}
		at += copy(p.Value.Data[at:], w.Data)
	}
	if at != p.Value.Len() {
		return fmt.Errorf("verify: %s/%s: %q %v is filled with %d numbers only", r.c.Mechanism, r.c.Name, p.Name, p.Value.Shape, at)
	}
	return nil
}

// weight finds a weight of the reference as it lies in our parameter.
func (r *mixerRun) weight(name string) (*tensor.T, error) {
	plain, turn := strings.CutSuffix(name, transposed)
	w, err := r.c.weight(plain)
	if err == nil && turn {
		w = swapped(w)
	}
	return w, err
}

// swapped swaps the first two axes of an array.
func swapped(t *tensor.T) *tensor.T {
	shape := slices.Clone(t.Shape)
	shape[0], shape[1] = shape[1], shape[0]
	out := tensor.New(shape...)
	rows, cols, size := t.Dim(0), t.Dim(1), tensor.Size(shape[2:]...)
	for i := range rows * cols {
		copy(out.Data[(i%cols*rows+i/cols)*size:][:size], t.Data[i*size:])
	}
	return out
}

// sequence runs sequence b [1,N,d] forwards and backwards.
func (r *mixerRun) sequence(b int, x *tensor.T) error {
	mask, err := r.c.mask(b, x.Dim(1))
	if err != nil {
		return err
	}
	p := nn.NewPass(ad.NewTape())
	p.Mask, p.Run = mask, &trace.Run{}
	in := p.Tape.Leaf(x)
	y := r.mixer.Mix(p, in)
	r.put("out", b, y.Value)
	r.put("out_f64", b, y.Value)
	r.steps(b, "", p.Run)
	if w, ok := r.c.IO.Arrays["loss_w"]; ok {
		p.Tape.Backward(y, tensor.From(w.Sub(b).Data, y.Shape()...))
		r.gradients(b, p, in)
	}
	if _, ok := r.c.IO.Arrays["influence"]; ok && b == 0 {
		r.out["influence"] = metrics.Influence(r.mixer, x, mask)
	}
	return nil
}

// steps hands over every value that the pass and its parts showed and the
// case names.
func (r *mixerRun) steps(b int, path string, run *trace.Run) {
	for _, m := range run.Steps {
		m.Name = path + m.Name
		for name, value := range r.d.names(m) {
			r.put(name, b, value)
		}
	}
	for _, part := range run.Parts {
		r.steps(b, path+part.Name+"/", part)
	}
	if r.d.derived != nil && path == "" {
		for name, value := range r.d.derived(r.sizes, run) {
			r.put(name, b, value)
		}
	}
}

// put files a value of sequence b under every name that the case has for it:
// with the batch in front, alone, or numbered by sequence.
func (r *mixerRun) put(name string, b int, value *tensor.T) {
	if want, ok := r.c.IO.Arrays[name]; ok {
		r.place(name, want.Shape, b, value)
	}
	if want, ok := r.c.IO.Ints[name]; ok {
		r.place(name, want.Shape, b, value)
	}
	for _, numbered := range [...]string{fmt.Sprintf("%s.%d", name, b), fmt.Sprintf("%s.sample%d", name, b)} {
		if want, ok := r.c.IO.Arrays[numbered]; ok && want.Len() == value.Len() {
			r.out[numbered] = tensor.From(slices.Clone(value.Data), want.Shape...)
		}
	}
	if want, ok := r.c.IO.Arrays[name+".0"]; ok && want.Len() != value.Len() {
		r.place(name+".0", want.Shape, b, value)
	}
}

// place copies a value into the part of a batched array that is sequence b's.
// An array without a batch holds what all sequences share: the first says it.
func (r *mixerRun) place(name string, shape []int, b int, value *tensor.T) {
	if _, ok := r.out[name]; !ok {
		r.out[name] = tensor.New(shape...)
	}
	to := r.out[name]
	switch {
	case to.Len() == value.Len():
		if b == 0 {
			copy(to.Data, value.Data)
		}
	case to.Rank() > 0 && to.Dim(0)*value.Len() == to.Len() && b < to.Dim(0):
		copy(to.Sub(b).Data, value.Data)
	default:
		delete(r.out, name) // another shape than ours: reported as not compared
	}
}

// gradients adds what sequence b contributes to the gradients.
func (r *mixerRun) gradients(b int, p *nn.Pass, in *ad.Var) {
	if g := in.Grad(); g != nil {
		r.put("grad.input.x", b, g)
	}
	r.slopes(p)
}

// slopes adds what a sequence contributes to the gradients of the weights.
func (r *mixerRun) slopes(p *nn.Pass) {
	for i, param := range r.params {
		g := p.Grad(param)
		if g == nil {
			continue
		}
		if r.weights[i][0] == unused {
			continue
		}
		at := 0
		for _, name := range r.weights[i] {
			plain, turn := strings.CutSuffix(name, transposed)
			w, full := r.c.Weights.Arrays[plain], "grad."+plain
			part := tensor.From(g.Data[at:at+w.Len()], w.Shape...)
			if turn {
				part = swapped(part.Reshape(w.Dim(1), w.Dim(0)))
			}
			if _, ok := r.c.IO.Arrays[full]; ok {
				if r.out[full] == nil {
					r.out[full] = tensor.New(w.Shape...)
				}
				tensor.Add(r.out[full].Data, r.out[full].Data, part.Data)
			}
			at += w.Len()
		}
	}
}
