package ad

import (
	"slices"

	"attnatlas/engine/tensor"
)

// The operations of this file store only their arguments, and recompute intermediate values when
// gradients are needed. This saves memory and costs time. The functions that they receive are
// called twice and must do the same both times. Such a function can depend on its argument and on
// leaves, but not on other Vars of the tape.

// runAndDiscard runs part and then takes back everything that part put on the tape, memory
// included. Recording is paused unless part resumes it.
func (t *Tape) runAndDiscard(part func()) {
	mark := *t
	t.segments++
	t.segment, t.paused = t.segments, true
	part()
	first := len(mark.pullbacks)
	clear(t.pullbacks[first:])
	t.pullbacks = t.pullbacks[:first]
	kept := t.grown[:len(mark.grown)]
	for _, v := range t.grown[len(mark.grown):] {
		if v.leaf {
			kept = append(kept, v)
		}
	}
	clear(t.grown[len(kept):])
	t.grown = kept
	t.segment, t.paused = mark.segment, mark.paused
	t.release(&mark)
}

// once computes f(x) without recording, passes the result to use, and takes back the memory.
func (t *Tape) once(x *tensor.T, f func(*Var) *Var, use func(y *tensor.T)) {
	t.runAndDiscard(func() { use(f(t.newVar(x)).Value) })
}

// again recomputes y = f(x), passes it to use, and adds the gradient of Σ dy∘y to dx and to the
// leaves.
func (t *Tape) again(x *tensor.T, f func(*Var) *Var, use func(y *tensor.T), dy, dx []Elem) {
	t.runAndDiscard(func() {
		t.paused = false
		first := len(t.pullbacks)
		in := t.newVar(x)
		in.active = true
		y := f(in)
		use(y.Value)
		tensor.Add(y.sum(), y.sum(), dy)
		for i := len(t.pullbacks) - 1; i >= first; i-- {
			t.pullbacks[i]()
		}
		if in.adjoint != nil {
			tensor.Add(dx, dx, in.adjoint.Data)
		}
	})
}

// copyOf returns a copy of x in the tape's memory.
func (t *Tape) copyOf(x *tensor.T) *tensor.T {
	c := t.array(x.Shape...)
	copy(c.Data, x.Data)
	return c
}

// Coupling is an invertible layer (Dinh et al. 2014, arXiv:1410.8516; Gomez et al. 2017,
// arXiv:1707.04585, eq. 6 and 7). F and G can be any functions that keep the shape:
//
//	y1 = x1 + F(x2)    y2 = x2 + G(y1)        x2 = y2 − G(y1)    x1 = y1 − F(x2)
type Coupling struct{ F, G func(x *Var) *Var }

// Reversible applies couplings one after the other. It stores nothing between x and y. Backward
// goes from y to x through the inverse of each layer (Gomez et al. 2017, algorithm 1), with the
// memory of one F or G at a time.
func Reversible(x1, x2 *Var, layers []Coupling) (y1, y2 *Var) {
	t := x1.tape
	if !x1.Value.SameShape(x2.Value) {
		panic(shapeError("Reversible", x1.Value, x2.Value))
	}
	t.mustRead(x1)
	t.mustRead(x2)
	if t.explains { // such a tape stores everything
		for _, l := range layers {
			x1 = Add(x1, l.F(x2))
			x2 = Add(x2, l.G(x1))
		}
		return x1, x2
	}
	y1, y2 = t.newVar(t.copyOf(x1.Value)), t.newVar(t.copyOf(x2.Value))
	y1.active, y2.active = t.records(), t.records()
	for _, l := range layers {
		t.once(y2.Value, l.F, func(f *tensor.T) { tensor.Add(y1.Value.Data, y1.Value.Data, f.Data) })
		t.once(y1.Value, l.G, func(g *tensor.T) { tensor.Add(y2.Value.Data, y2.Value.Data, g.Data) })
	}
	if t.records() {
		t.pullbacks = append(t.pullbacks, func() {
			if y1.adjoint != nil || y2.adjoint != nil {
				reverse(x1, x2, y1, y2, layers)
			}
		})
	}
	return y1, y2
}

// reverse is the pullback of Reversible. d1 and d2 are the adjoints of y1 and y2. For every layer,
// starting with the last, it computes d1 += Gᵀ·d2 and then d2 += Fᵀ·d1.
func reverse(x1, x2, y1, y2 *Var, layers []Coupling) {
	t := x1.tape
	s1, s2 := t.copyOf(y1.Value), t.copyOf(y2.Value)
	d1, d2 := t.zeros(s1.Shape...).Data, t.zeros(s2.Shape...).Data
	tensor.Add(d1, d1, y1.sum())
	tensor.Add(d2, d2, y2.sum())
	for i := len(layers) - 1; i >= 0; i-- {
		t.again(s1, layers[i].G, func(g *tensor.T) { tensor.Axpy(s2.Data, -1, g.Data) }, d2, d1)
		t.again(s2, layers[i].F, func(f *tensor.T) { tensor.Axpy(s1.Data, -1, f.Data) }, d1, d2)
	}
	if x1.active {
		x1.add(d1)
	}
	if x2.active {
		x2.add(d2)
	}
}

// Invert recomputes the inputs of every layer from y, last layer first, and passes them to see,
// which can keep copies. It leaves nothing on the tape.
func Invert(y1, y2 *Var, layers []Coupling, see func(layer int, x1, x2 *tensor.T)) {
	t := y1.tape
	t.runAndDiscard(func() {
		s1, s2 := t.copyOf(y1.Value), t.copyOf(y2.Value)
		for i := len(layers) - 1; i >= 0; i-- {
			t.once(s1, layers[i].G, func(g *tensor.T) { tensor.Axpy(s2.Data, -1, g.Data) })
			t.once(s2, layers[i].F, func(f *tensor.T) { tensor.Axpy(s1.Data, -1, f.Data) })
			see(i, s1, s2)
		}
	})
}

// Chunked returns f(x) for a function that processes every row separately and keeps the shape. It
// computes size rows of each sequence at a time (Kitaev et al. 2020, arXiv:2001.04451, sec. 3): x
// [N,d] → [N,d]. It stores only x.
func Chunked(x *Var, size int, f func(*Var) *Var) *Var {
	t, n := x.tape, x.Dim(-2)
	t.mustRead(x)
	y := t.newVar(t.array(x.Shape()...))
	y.active = t.records()
	for from := 0; from < n; from += size {
		part := rowsBetween{from, min(from+size, n), n, x.Dim(-1)}
		t.runAndDiscard(func() { part.put(y.Value.Data, f(t.newVar(part.of(t, x.Value.Shape, x.Value.Data))).Value.Data) })
	}
	t.record(y, func(dy []Elem) {
		dx := x.orScratch()
		for from := 0; from < n; from += size {
			part := rowsBetween{from, min(from+size, n), n, x.Dim(-1)}
			t.runAndDiscard(func() {
				in, slope := part.of(t, x.Value.Shape, x.Value.Data), part.of(t, x.Value.Shape, dy)
				more := t.zeros(in.Shape...)
				t.again(in, f, func(*tensor.T) {}, slope.Data, more.Data)
				part.addTo(dx, more.Data)
			})
		}
	})
	return y
}

// rowsBetween are the rows from ≤ i < to of every sequence of n rows of width d.
type rowsBetween struct{ from, to, n, d int }

// of returns a copy of these rows of an array with the given shape.
func (r rowsBetween) of(t *Tape, shape []int, data []Elem) *tensor.T {
	shape = slices.Clone(shape)
	shape[len(shape)-2] = r.to - r.from
	part := t.array(shape...)
	r.each(func(whole, piece int) { copy(part.Data[piece:][:r.size()], data[whole:]) }, len(part.Data))
	return part
}

func (r rowsBetween) put(data, part []Elem) {
	r.each(func(whole, piece int) { copy(data[whole:], part[piece:][:r.size()]) }, len(part))
}

func (r rowsBetween) addTo(data, part []Elem) {
	r.each(func(whole, piece int) {
		to := data[whole:][:r.size()]
		tensor.Add(to, to, part[piece:][:r.size()])
	}, len(part))
}

func (r rowsBetween) size() int { return (r.to - r.from) * r.d }

// each calls do for every sequence with the offsets of its rows in the whole array and in the part.
func (r rowsBetween) each(do func(whole, piece int), partLen int) {
	for b := range partLen / max(r.size(), 1) {
		do((b*r.n+r.from)*r.d, b*r.size())
	}
}
