package nn

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"attnatlas/engine/ad"
	"attnatlas/engine/source"
	"attnatlas/engine/tensor"
	"attnatlas/engine/trace"
)

// Pass is one forward computation, apart from its parameters. Passes share
// models freely; a pass itself belongs to one goroutine.
type Pass struct {
	Tape *ad.Tape
	Mask Mask
	Rand *rand.Rand // every random choice; nil where a mechanism makes none
	Run  *trace.Run // nil: nobody watches, nothing is copied
	// Fixed parameters are constants: only gradients of the input are wanted.
	Fixed bool
	// OnMix, unless nil, is called before every mixer of a model runs: with the pass that
	// it runs in and its input [B,N,d].
	OnMix func(p *Pass, m Mixer, x *ad.Var)
	// Only are the positions, of the B·N, at which the result of the mixer that is called next is read;
	// nil: all. It may give the rows [M,d] of these alone.
	Only []int
	// Around is the layer of the mixer that is called next; nil: it is in none, or nobody observes mixers.
	Around *AfterMixer
	// Cuts, unless nil, is what is cut in a layer, from 1; of 0, outside of all. See InLayer.
	Cuts func(layer int) *Cut
	// Instead has the values of parameters that this pass has otherwise than its model, which stays as it is: the
	// shape may be another where the mixer can do with it.
	Instead map[*Param]*tensor.T
	// Cache, unless nil, has what mixers computed of the positions before those of this pass.
	Cache     *Cache
	uses      map[*Param]*ad.Var
	auxLosses *[]AuxLoss // of the whole pass, parts included
	named     *[]Named   // of the whole pass
	// what this part of the pass has chosen; nil: it is computed once
	replay *Replay
	summing
}

// Mixer mixes the positions of a sequence: x [N,d] → [N,d].
type Mixer interface {
	Mix(p *Pass, x *ad.Var) *ad.Var
}

// AuxLoss is a scalar that training adds to the objective, such as the cost of
// pondering.
type AuxLoss struct {
	Name  string
	Value *ad.Var
}

// NewPass starts a pass on a tape.
func NewPass(t *ad.Tape) *Pass {
	return &Pass{Tape: t, uses: map[*Param]*ad.Var{}, auxLosses: new([]AuxLoss), named: new([]Named)}
}

// AddLoss adds an auxiliary loss [1] of this pass.
func (p *Pass) AddLoss(name string, v *ad.Var) {
	*p.auxLosses = append(*p.auxLosses, AuxLoss{name, v})
}

// AuxLosses lists the auxiliary losses since the pass began.
func (p *Pass) AuxLosses() []AuxLoss { return *p.auxLosses }

// WithMask is the same pass under another mask.
func (p *Pass) WithMask(m Mask) *Pass {
	other := *p
	other.Mask = m
	return &other
}

// Reset prepares the pass and its tape for the next computation.
func (p *Pass) Reset() {
	p.Tape.Reset()
	clear(p.uses)
	*p.auxLosses, *p.named = (*p.auxLosses)[:0], (*p.named)[:0]
	p.Mask, p.Run, p.OnMix, p.Only, p.Around, p.Cuts, p.Instead, p.Cache, p.summing = Mask{}, nil, nil, nil, nil, nil, nil,
		nil, summing{}
}

// In is the pass of a part of the model: what it shows is listed under name.
func (p *Pass) In(name string) *Pass {
	if !p.Watched() {
		return p
	}
	part := *p
	part.Run = p.Run.In(name)
	return &part
}

// Use puts a parameter on the tape, once per pass, so that its gradients add up.
func (p *Pass) Use(w *Param) *ad.Var {
	if v, ok := p.uses[w]; ok {
		return v
	}
	var v *ad.Var
	other, changed := p.Instead[w]
	switch {
	case changed:
		v = p.Tape.Const(other)
	case w.packed != nil && (p.Tape.Frozen() || p.Fixed):
		v = p.Tape.Packed(w.Value, w.packed)
	case w.Frozen || p.Fixed:
		v = p.Tape.Const(w.Value)
	default:
		v = p.Tape.Leaf(w.Value)
	}
	p.uses[w] = v
	return v
}

// Grad is the gradient of a parameter after Tape.Backward; nil where the result
// does not depend on it. It lives in the tape's memory.
func (p *Pass) Grad(w *Param) *tensor.T {
	if v, ok := p.uses[w]; ok {
		return v.Grad()
	}
	return nil
}

// Watched says whether the pass is recorded: only then are maps computed that the
// result does not need.
func (p *Pass) Watched() bool { return p.Run != nil }

// Wants says whether the map of this name is recorded.
func (p *Pass) Wants(name string) bool { return p.Watched() && p.Run.Wants(name) }

// Step shows v under a name and returns it: naming a value cannot change it.
// Roles name its axes; a leading batch axis is dropped when there is one
// sequence and shown otherwise.
func (p *Pass) Step(name, tex string, k trace.Kind, v *ad.Var, roles ...trace.Role) *ad.Var {
	if p.Wants(name) {
		p.ShowVar(trace.Map{Name: name, Tex: tex, Kind: k, Axes: axes(roles)}, v)
	}
	return v
}

// ShowVar shows a map whose values are those of v.
func (p *Pass) ShowVar(m trace.Map, v *ad.Var) {
	if !p.Wants(m.Name) {
		return
	}
	m.Value = v.Value
	p.Show(m)
	p.Name(m.Name, v)
}

// Named is an array that a pass showed, or otherwise has a name for, where its tape explains.
type Named struct {
	Run  *trace.Run // the part that showed it
	Name string
	Var  *ad.Var
}

// Named are the arrays with names, in the order in which they were shown.
func (p *Pass) Named() []Named { return *p.named }

// Name gives an array a name: that of a map of its numbers, or one of its own.
func (p *Pass) Name(name string, v *ad.Var) {
	if p.Tape.Explains() && p.Watched() {
		*p.named = append(*p.named, Named{p.Run, name, v})
	}
}

// ParamOf is the parameter whose values an array is; nil: it is none.
func (p *Pass) ParamOf(v *ad.Var) *Param {
	for w, u := range p.uses {
		if u == v {
			return w
		}
	}
	return nil
}

// ShowArray is Step for an array that is on no tape.
func (p *Pass) ShowArray(name, tex string, k trace.Kind, v *tensor.T, roles ...trace.Role) {
	p.Show(trace.Map{Name: name, Tex: tex, Kind: k, Axes: axes(roles), Value: v})
}

// Show shows a map that is off the forward path, or on it: the value is
// copied. Where the map has rows that read columns, cells that the mask forbids
// are out of its reach.
func (p *Pass) Show(m trace.Map) {
	if p.Wants(m.Name) {
		m.Value = m.Value.Clone()
		p.ShowOwned(m)
	}
}

// ShowOwned is Show of a value that nobody changes afterwards, which is not copied.
func (p *Pass) ShowOwned(m trace.Map) {
	if !p.Wants(m.Name) {
		return
	}
	switch extra := m.Value.Rank() - len(m.Axes); {
	case extra == 1 && m.Value.Dim(0) == 1:
		m.Value = m.Value.Reshape(m.Value.Shape[1:]...)
	case extra == 1:
		m.Axes = append([]trace.Axis{{Role: trace.Batch}}, m.Axes...)
	case extra != 0:
		panic(tensor.ShapeError{Op: "nn: Show " + m.Name, Want: fmt.Sprintf("%v", m.Roles()),
			Got: fmt.Sprintf("%v", m.Value.Shape)})
	}
	if p.Tape.Explains() {
		m.Calls = source.Calls()
	}
	if m.Reach == nil && p.Mask.forbids() && m.Kind == trace.Probability && p.Mask.Keys == nil && readsKeys(m) {
		mask := p.Mask
		m.Reach = func(q, k int) bool { return mask.Allows(0, q, k) }
	}
	p.Run.Steps = append(p.Run.Steps, m)
}

func readsKeys(m trace.Map) bool {
	roles := m.Roles()
	return len(roles) >= 2 && slices.Equal(roles[len(roles)-2:], []trace.Role{trace.Query, trace.Key})
}

func axes(roles []trace.Role) []trace.Axis {
	as := make([]trace.Axis, len(roles))
	for i, r := range roles {
		as[i].Role = r
	}
	return as
}
