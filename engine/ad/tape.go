package ad

import (
	"attnatlas/engine/tensor"
)

// Elem is the number type of the engine.
type Elem = tensor.Elem

// Tape records operations for Backward and owns the memory of their results.
type Tape struct {
	// Frozen tapes record nothing: results are computed, gradients are not.
	frozen    bool
	explains  bool   // it knows of every number how it was made (origin.go)
	all       []*Var // of a tape that explains
	paused    bool   // nothing is recorded: this part will be computed again
	pullbacks []func()
	numbers   slab[Elem]
	scratch   slab[Elem] // of within
	ints      slab[int]
	arrays    slab[tensor.T]
	vars      slab[Var]
	leaves    slab[Var]        // apart from vars, because they outlive a block
	grads     slab[Elem]       // the adjoints of leaves, apart from numbers for the same reason
	segment   int              // number of the part that is being computed (reversible.go); 0: none
	segments  int              // number of parts so far
	grown     []*Var           // the Vars that have an adjoint
	packs     []*tensor.Packed // of newPacked; used of them are handed out
	used      int
	attention tensor.Attention // of Attend
	forward   *Tape            // the arenas as they were before Backward; nil: it was not called
}

// Var is an array on a tape.
type Var struct {
	Value   *tensor.T
	tape    *Tape
	adjoint *tensor.T // nil: 0
	active  bool      // a gradient is wanted for it or for something it was made of
	owned   bool      // the value is the tape's memory, and no other Var's
	leaf    bool
	segment int // the part that made it
	packed  *tensor.Packed
	origin  func(i int) Origin // of a tape that explains
}

// NewTape returns a tape that records for Backward.
func NewTape() *Tape { return &Tape{} }

// NewFrozen returns a tape that only computes, for inference.
func NewFrozen() *Tape { return &Tape{frozen: true} }

// Reset forgets everything and takes all memory back. Vars, values and
// gradients of the tape must not be used any more.
func (t *Tape) Reset() {
	clear(t.pullbacks) // let the closures go
	t.pullbacks = t.pullbacks[:0]
	t.numbers.reset()
	t.ints.reset()
	t.arrays.reset()
	t.vars.reset()
	t.leaves.reset()
	t.grads.reset()
	t.segment, t.segments, t.used = 0, 0, 0
	clear(t.grown)
	t.grown, t.forward, t.all = t.grown[:0], nil, nil
}

// Const puts an array on the tape for which no gradient is wanted. The array
// is not copied and never written.
func (t *Tape) Const(v *tensor.T) *Var { return t.leaf(v) }

// Leaf puts an array on the tape whose gradient is wanted. The array is not
// copied and never written.
func (t *Tape) Leaf(v *tensor.T) *Var {
	leaf := t.leaf(v)
	leaf.active = !t.frozen
	return leaf
}

// Packed is Const for a weight [out,in] that Linear has a packed copy of: packed
// is tensor.Pack of the transposed weight.
func (t *Tape) Packed(v *tensor.T, packed *tensor.Packed) *Var {
	w := t.Const(v)
	w.packed = packed
	return w
}

// Frozen says that the tape only computes.
func (t *Tape) Frozen() bool { return t.frozen }

func (t *Tape) records() bool { return !t.frozen && !t.paused }

func (t *Tape) leaf(value *tensor.T) *Var {
	v := &t.leaves.take(1)[0]
	*v = Var{Value: value, tape: t, leaf: true}
	t.keep(v)
	return v
}

// Backward computes the gradient of Σ seed∘root with respect to every active
// Var. It may be called again with another seed, as long as no operation was
// added: the gradients of the call before are then gone.
func (t *Tape) Backward(root *Var, seed *tensor.T) {
	if !root.Value.SameShape(seed) {
		panic(shapeError("Backward", root.Value, seed))
	}
	t.forget()
	if !root.active {
		return
	}
	adjoint, _ := root.grow()
	copy(adjoint.Data, seed.Data)
	for i := len(t.pullbacks) - 1; i >= 0; i-- {
		t.pullbacks[i]()
	}
}

// forget releases the adjoints of an earlier Backward.
func (t *Tape) forget() {
	if t.forward == nil {
		mark := *t
		t.forward = &mark
		return
	}
	for _, v := range t.grown {
		v.adjoint = nil
	}
	t.grown = t.grown[:0]
	t.release(t.forward)
	t.grads.release(t.forward.grads)
}

// Grad is the gradient that Backward found, or nil where nothing depends on v.
// It lives in the tape's memory.
func (v *Var) Grad() *tensor.T { return v.adjoint }

// Shape is the shape of the value.
func (v *Var) Shape() []int { return v.Value.Shape }

// Dim is the extent of dimension i of the value; negative i count from the end.
func (v *Var) Dim(i int) int { return v.Value.Dim(i) }

// Tape is the tape that v is on.
func (v *Var) Tape() *Tape { return v.tape }

func (t *Tape) newVar(value *tensor.T) *Var {
	v := &t.vars.take(1)[0]
	*v = Var{Value: value, tape: t, segment: t.segment}
	t.keep(v)
	return v
}

// array takes uninitialised memory of a shape from the arenas.
func (t *Tape) array(shape ...int) *tensor.T {
	a := &t.arrays.take(1)[0]
	a.Shape = t.ints.take(len(shape))
	copy(a.Shape, shape)
	a.Data = t.numbers.take(tensor.Size(shape...))
	return a
}

// newPacked is memory for a packed matrix, until Reset or release.
func (t *Tape) newPacked() *tensor.Packed {
	if t.used == len(t.packs) {
		t.packs = append(t.packs, new(tensor.Packed))
	}
	t.used++
	return t.packs[t.used-1]
}

func (t *Tape) zeros(shape ...int) *tensor.T {
	a := t.array(shape...)
	clear(a.Data)
	return a
}

// result makes the Var of an operation's result. Its memory is uninitialised.
func (t *Tape) result(args []*Var, shape ...int) *Var {
	v := t.newVar(t.array(shape...))
	for _, a := range args {
		t.mustRead(a)
		v.active = v.active || a.active
	}
	v.owned = true
	return v
}

// mustRead panics where a cannot be an argument: it is on another tape, or was made
// outside the part that is computed again.
func (t *Tape) mustRead(a *Var) {
	if a.tape != t {
		panic("ad: an operation's arguments are on different tapes")
	}
	if a.active && !a.leaf && a.segment != t.segment {
		panic("ad: what is computed again may depend on its argument and on leaves only")
	}
}

// record keeps the pullback of y if y is active. Backward skips it when y has no
// adjoint.
func (t *Tape) record(y *Var, pullback func(dy []Elem)) {
	if !y.active || !t.records() {
		return
	}
	t.pullbacks = append(t.pullbacks, func() {
		if y.adjoint != nil {
			pullback(y.adjoint.Data)
		}
	})
}

// grow returns the adjoint of v to write to, and whether it holds something
// already (Accumulate) or is uninitialised (Overwrite).
func (v *Var) grow() (*tensor.T, tensor.Update) {
	if v.adjoint != nil {
		return v.adjoint, tensor.Accumulate
	}
	if t := v.tape; v.leaf {
		v.adjoint = &tensor.T{Shape: v.Value.Shape, Data: t.grads.take(v.Value.Len())}
	} else {
		v.adjoint = t.array(v.Value.Shape...)
	}
	v.tape.grown = append(v.tape.grown, v)
	return v.adjoint, tensor.Overwrite
}

// sum returns the adjoint of v to add to: zeros when it is new.
func (v *Var) sum() []Elem {
	a, u := v.grow()
	if u == tensor.Overwrite {
		clear(a.Data)
	}
	return a.Data
}

// addScaled adds c·g to the adjoint of v.
func (v *Var) addScaled(c Elem, g []Elem) {
	if a, u := v.grow(); u == tensor.Overwrite {
		tensor.Scale(a.Data, c, g)
	} else {
		tensor.Axpy(a.Data, c, g)
	}
}

// add adds g to the adjoint of v.
func (v *Var) add(g []Elem) {
	if a, u := v.grow(); u == tensor.Overwrite {
		copy(a.Data, g)
	} else {
		tensor.Add(a.Data, a.Data, g)
	}
}

// orScratch is the adjoint of v to add to, or scratch memory where no gradient is wanted.
func (v *Var) orScratch() []Elem {
	if v.active {
		return v.sum()
	}
	return v.tape.zeros(v.Shape()...).Data
}
