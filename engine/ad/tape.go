package ad

import (
	"attnatlas/engine/tensor"
)

// Elem is the number type of the engine.
type Elem = tensor.Elem

// Tape records operations for Backward and owns the memory of their results.
type Tape struct {
	// A frozen tape computes results without recording gradients.
	frozen    bool
	explains  bool   // the origin of every number is recorded (origin.go)
	all       []*Var // only on a tape that explains
	paused    bool   // nothing is recorded, because this part will be recomputed
	pullbacks []func()
	numbers   slab[Elem]
	scratch   slab[Elem] // memory for within
	ints      slab[int]
	arrays    slab[tensor.T]
	vars      slab[Var]
	leaves    slab[Var]        // separate from vars, because they outlive a block
	grads     slab[Elem]       // adjoints of leaves, separate from numbers for the same reason
	segment   int              // number of the part that is being computed (reversible.go); 0: no part
	segments  int              // number of parts so far
	grown     []*Var           // Vars that have an adjoint
	packs     []*tensor.Packed // memory for newPacked; the first ones are in use
	used      int
	attention tensor.Attention // memory for Attend
	forward   *Tape            // the arenas before Backward; nil if it was not called
}

// Var is an array on a tape.
type Var struct {
	Value   *tensor.T
	tape    *Tape
	adjoint *tensor.T // nil means 0
	active  bool      // its gradient, or the gradient of a Var from which it was computed, is needed
	owned   bool      // the value is in the tape's memory and not shared with another Var
	last    bool      // nothing uses the value after the next function
	leaf    bool
	segment int // part that computed it
	packed  *tensor.Packed
	origin  func(i int) Origin // only on a tape that explains
}

// NewTape returns a tape that records for Backward.
func NewTape() *Tape { return &Tape{} }

// NewFrozen returns a tape for inference, which computes without recording gradients.
func NewFrozen() *Tape { return &Tape{frozen: true} }

// Reset clears the tape and takes all memory back. Vars, values and gradients of the tape must not
// be used any more.
func (t *Tape) Reset() {
	clear(t.pullbacks) // release the closures
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

// Const puts an array without a gradient on the tape. The array is neither copied nor written.
func (t *Tape) Const(v *tensor.T) *Var { return t.leaf(v) }

// Leaf puts an array with a gradient on the tape. The array is neither copied nor written.
func (t *Tape) Leaf(v *tensor.T) *Var {
	leaf := t.leaf(v)
	leaf.active = !t.frozen
	return leaf
}

// Packed is Const for a weight [out,in] with a packed copy for Linear. packed is the result of
// tensor.Pack for the transposed weight.
func (t *Tape) Packed(v *tensor.T, packed *tensor.Packed) *Var {
	w := t.Const(v)
	w.packed = packed
	return w
}

// Frozen reports whether the tape computes values without recording gradients.
func (t *Tape) Frozen() bool { return t.frozen }

// Plain reports whether values are computed without gradients and explanations.
func (t *Tape) Plain() bool { return !t.records() && !t.explains }

func (t *Tape) records() bool { return !t.frozen && !t.paused }

func (t *Tape) leaf(value *tensor.T) *Var {
	v := &t.leaves.take(1)[0]
	*v = Var{Value: value, tape: t, leaf: true}
	t.keep(v)
	return v
}

// Backward computes the gradient of Σ seed∘root with respect to every active Var. It can be called
// again with another seed if no operation was added in between. The gradients of the earlier call
// are then lost.
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

// Grad returns the gradient that Backward computed, or nil if root does not depend on v. It lives
// in the tape's memory.
func (v *Var) Grad() *tensor.T { return v.adjoint }

// Last declares that only the next function uses v. If nothing is recorded, an activation or Replace then
// overwrites v with its result.
func (v *Var) Last() *Var {
	v.last = v.owned && v.tape.Plain()
	return v
}

// Shape returns the shape of the value.
func (v *Var) Shape() []int { return v.Value.Shape }

// Dim returns the length of axis i of the value; negative i count from the end.
func (v *Var) Dim(i int) int { return v.Value.Dim(i) }

// Tape returns the tape of v.
func (v *Var) Tape() *Tape { return v.tape }

func (t *Tape) newVar(value *tensor.T) *Var {
	v := &t.vars.take(1)[0]
	*v = Var{Value: value, tape: t, segment: t.segment}
	t.keep(v)
	return v
}

// array allocates an uninitialised array from the arenas.
func (t *Tape) array(shape ...int) *tensor.T {
	a := &t.arrays.take(1)[0]
	a.Shape = t.ints.take(len(shape))
	copy(a.Shape, shape)
	a.Data = t.numbers.take(tensor.Size(shape...))
	return a
}

// newPacked returns memory for a packed matrix, valid until Reset or release.
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

// mustRead panics if a cannot be an argument, because it is on another tape, or was computed
// outside of the part that is recomputed.
func (t *Tape) mustRead(a *Var) {
	if a.tape != t {
		panic("ad: an operation's arguments are on different tapes")
	}
	if a.active && !a.leaf && a.segment != t.segment {
		panic("ad: what is computed again may depend on its argument and on leaves only")
	}
}

// record stores the pullback of y if y is active. Backward skips it if y has no adjoint.
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

// grow returns the adjoint of v for writing, and whether it already holds a value (Accumulate) or
// is uninitialised (Overwrite).
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

// sum returns the adjoint of v for adding; a new adjoint is zero.
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

// orScratch returns the adjoint of v for adding, or scratch memory if v is not active.
func (v *Var) orScratch() []Elem {
	if v.active {
		return v.sum()
	}
	return v.tape.zeros(v.Shape()...).Data
}
