package verify

import (
	"fmt"
	"strings"

	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
)

// place is where a parameter of ours lies in a reference's weights: its element i is
// element at(i) of the array called name. Without a name the reference has no such
// parameter, and it is 0.
type place struct {
	name string
	at   func(i int) int // nil: the same order
}

// index is the place of element i.
func (l place) index(i int) int {
	if l.at == nil {
		return i
	}
	return l.at(i)
}

// part is a parameter that begins at an element of a larger array.
func part(name string, from int) place { return place{name, func(i int) int { return from + i }} }

// turned is a parameter [rows,cols] that lies there as [cols,rows].
func turned(name string, rows, cols int) place {
	return place{name, func(i int) int { return i%cols*rows + i/cols }}
}

// stackRun is a case of a whole stack on its way through our code. Its batch is run at
// once: how many steps a stack takes may depend on all sequences.
type stackRun struct {
	c      *Case
	params []*nn.Param
	places []place
	out    computed
}

// newStackRun gives every parameter the reference's values.
func newStackRun(c *Case, params []*nn.Param, find func(name string) place) (*stackRun, error) {
	r := &stackRun{c: c, params: params, out: computed{}}
	for _, p := range params {
		l := find(p.Name)
		r.places = append(r.places, l)
		if l.name == "" {
			clear(p.Value.Data)
			continue
		}
		w, err := c.weight(l.name)
		if err != nil {
			return nil, err
		}
		for i := range p.Value.Data {
			at := l.index(i)
			if at < 0 || at >= w.Len() {
				return nil, fmt.Errorf("verify: %s/%s: %q has shape %v, too small for %q %v", c.Mechanism, c.Name, l.name, w.Shape, p.Name, p.Value.Shape)
			}
			p.Value.Data[i] = w.Data[at]
		}
	}
	return r, nil
}

// gradients files the gradients of the weights. One that our stack does not use has the
// gradient 0.
func (r *stackRun) gradients(p *nn.Pass) {
	for name := range r.c.IO.Arrays {
		if w, ok := strings.CutPrefix(name, "grad."); ok && r.c.Weights.Arrays[w] != nil {
			r.out[name] = tensor.New(r.c.Weights.Arrays[w].Shape...)
		}
	}
	for k, param := range r.params {
		g, to := p.Grad(param), r.out["grad."+r.places[k].name]
		if g == nil || to == nil {
			continue
		}
		for i, v := range g.Data {
			to.Data[r.places[k].index(i)] += v
		}
	}
}

// put files a value under the reference's name, if the case has it in that size.
func (r *stackRun) put(name string, value *tensor.T) {
	if want, ok := r.c.IO.Arrays[name]; ok && want.Len() == value.Len() {
		r.out[name] = value.Clone().Reshape(want.Shape...)
	}
}

// lastAxis moves the second axis to the end: [B,T,N] → [B,N,T].
func lastAxis(t *tensor.T) *tensor.T {
	steps, n := t.Dim(1), t.Dim(2)
	out := tensor.New(t.Dim(0), n, steps)
	for i, v := range t.Data {
		out.Data[(i/(steps*n)*n+i%n)*steps+i/n%steps] = v
	}
	return out
}
