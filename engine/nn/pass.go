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

// Pass is the state of one forward computation. Several passes can use one model at the same time;
// a pass itself belongs to one goroutine.
type Pass struct {
	Tape *ad.Tape
	Mask Mask
	Rand *rand.Rand // source of every random choice; nil if the mechanism makes none
	Run  *trace.Run // records maps; nil: nothing is recorded or copied
	// Fixed treats parameters as constants: only gradients of the input are computed.
	Fixed bool
	// OnMix, unless nil, is called before every mixer of a model runs, with the pass that the mixer
	// runs in and its input [B,N,d].
	OnMix func(p *Pass, m Mixer, x *ad.Var)
	// OnCompare, unless nil, receives the queries [B,N,d] and keys [B,M,·] of every mixer that compares them by dot
	// products. They are as the mixer compares them, for example rotated.
	OnCompare func(p *Pass, m Mixer, q, k *ad.Var)
	// Only lists the positions, out of B·N, at which the result of the next mixer is needed; nil
	// means all. The mixer may return the rows [M,d] of these positions only.
	Only []int
	// Around describes the layer around the next mixer. It is nil if there is no layer, or if no
	// function observes mixers.
	Around *AfterMixer
	// Cuts, unless nil, returns the Cut of a layer, counted from 1, and of the parts outside all
	// layers for 0. See InLayer.
	Cuts func(layer int) *Cut
	// Instead holds parameter values that this pass uses in place of the model's, which stay
	// unchanged. The shape can differ if the mixer supports it.
	Instead map[*Param]*tensor.T
	// Brief means that only the maps and the result of a layer are used afterwards. A frozen tape then reuses the
	// memory of the layer's other values.
	Brief bool
	// Cache, unless nil, holds what mixers computed for the positions before those of this pass.
	Cache     *Cache
	uses      map[*Param]*ad.Var
	auxLosses *[]AuxLoss // of the whole pass, including its parts
	named     *[]Named   // of the whole pass
	// replay holds the choices that this part of the pass has made; nil if the part is computed
	// once.
	replay *Replay
	summing
	stream *[]ad.Elem // memory of the results of layers, for Layer
}

// Mixer mixes the positions of a sequence: x [N,d] → [N,d].
type Mixer interface {
	Mix(p *Pass, x *ad.Var) *ad.Var
}

// AuxLoss is a scalar that training adds to the objective, such as the ponder cost.
type AuxLoss struct {
	Name  string
	Value *ad.Var
}

// NewPass starts a pass on a tape.
func NewPass(t *ad.Tape) *Pass {
	return &Pass{Tape: t, uses: map[*Param]*ad.Var{}, auxLosses: new([]AuxLoss), named: new([]Named),
		stream: new([]ad.Elem)}
}

// AddLoss adds an auxiliary loss [1] of this pass.
func (p *Pass) AddLoss(name string, v *ad.Var) {
	*p.auxLosses = append(*p.auxLosses, AuxLoss{name, v})
}

// AuxLosses lists the auxiliary losses since the pass began.
func (p *Pass) AuxLosses() []AuxLoss { return *p.auxLosses }

// WithMask returns the same pass with another mask.
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
	p.Mask, p.Run, p.OnMix, p.OnCompare, p.Only, p.Around, p.Cuts, p.Instead, p.Cache, p.summing = Mask{}, nil, nil, nil,
		nil, nil, nil, nil, nil, summing{}
	p.Brief = false
}

// Layer returns f(x) for the input x of a layer. In a Brief pass, it reuses the memory of all intermediate values, and
// the result overwrites the result of the previous layer.
func (p *Pass) Layer(x *ad.Var, f func(x *ad.Var) *ad.Var) (y *ad.Var) {
	if !p.Brief || !p.Tape.Plain() {
		return f(x)
	}
	y, *p.stream = p.Tape.ScratchInto(*p.stream, func() *ad.Var { return f(x) })
	return y
}

// In returns the pass for a part of the model; its maps are listed under name.
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

// Grad returns the gradient of a parameter after Tape.Backward, or nil if the result does not
// depend on the parameter. The gradient lives in the tape's memory.
func (p *Pass) Grad(w *Param) *tensor.T {
	if v, ok := p.uses[w]; ok {
		return v.Grad()
	}
	return nil
}

// Watched reports whether the pass is recorded. Maps that the result does not need are computed
// only then.
func (p *Pass) Watched() bool { return p.Run != nil }

// Wants reports whether the map with this name is recorded.
func (p *Pass) Wants(name string) bool { return p.Watched() && p.Run.Wants(name) }

// Step records v under a name and returns it unchanged. Roles name its axes. A leading batch axis
// is recorded only if there is more than one sequence.
func (p *Pass) Step(name, tex string, k trace.Kind, v *ad.Var, roles ...trace.Role) *ad.Var {
	if p.Wants(name) {
		p.ShowVar(trace.Map{Name: name, Tex: tex, Kind: k, Axes: axes(roles)}, v)
	}
	return v
}

// ShowVar records a map with the values of v.
func (p *Pass) ShowVar(m trace.Map, v *ad.Var) {
	if !p.Wants(m.Name) {
		return
	}
	m.Value = v.Value
	p.Show(m)
	p.Name(m.Name, v)
}

// Named is an array with a name, on a tape that explains. It is a recorded map, or was named with
// Name.
type Named struct {
	Run  *trace.Run // part of the run that recorded it
	Name string
	Var  *ad.Var
}

// Named returns the arrays with names, in the order in which they were recorded.
func (p *Pass) Named() []Named { return *p.named }

// Name gives an array a name: the name of the map with its values, or any other name.
func (p *Pass) Name(name string, v *ad.Var) {
	if p.Tape.Explains() && p.Watched() {
		*p.named = append(*p.named, Named{p.Run, name, v})
	}
}

// ParamOf returns the parameter whose values v holds, or nil if v is not a parameter.
func (p *Pass) ParamOf(v *ad.Var) *Param {
	for w, u := range p.uses {
		if u == v {
			return w
		}
	}
	return nil
}

// ShowArray is Step for an array that is not on a tape.
func (p *Pass) ShowArray(name, tex string, k trace.Kind, v *tensor.T, roles ...trace.Role) {
	p.Show(trace.Map{Name: name, Tex: tex, Kind: k, Axes: axes(roles), Value: v})
}

// Show records a map, whether or not it is part of the forward path. It copies the value unless the run lends its maps
// or hands them out. If the map's rows attend to its columns, cells that the mask hides are outside its reach.
func (p *Pass) Show(m trace.Map) {
	if p.Wants(m.Name) {
		if !p.Run.Lent && p.Run.Hand == nil {
			m.Value = m.Value.Clone()
		}
		p.ShowOwned(m)
	}
}

// ShowOwned is Show without the copy, for a value that will not change afterwards.
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
	if p.Run.Hand != nil {
		p.Run.Hand(m)
		return
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
