package main

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// row is a sequence of n elements that is processed one vector at a time. The last vector can be
// partial.
type row struct {
	*vec
	full reg.GPVirtual // bytes in whole vectors
	rest reg.GPVirtual // elements in the last, partial vector
	some reg.Register  // AVX-512: mask of these elements
	mask Mem           // AVX2: the same mask, in memory
}

// at is a position in a row.
type at struct {
	*row
	index reg.GPVirtual // in bytes
	ahead int           // in bytes, too
	tail  bool
}

// row prepares loops over n elements.
func (k *vec) row(n reg.GPVirtual) *row {
	r := &row{vec: k, full: k.GP64(), rest: k.GP64()}
	k.MOVQ(n, r.full)
	k.MOVQ(n, r.rest)
	k.ANDQ(I8(k.lanes-1), r.rest)
	k.SUBQ(r.rest, r.full)
	k.SHLQ(U8(2), r.full)
	if k.masked {
		ones := k.GP32()
		k.MOVL(I32(-1), ones)
		k.BZHIL(r.rest.As32(), ones, ones)
		m := k.K()
		k.KMOVW(ones, m)
		r.some = m
		return r
	}
	words := make([]uint32, 16)
	for i := range 8 {
		words[i] = ^uint32(0)
	}
	base, back := k.GP64(), k.GP64()
	k.LEAQ(k.static("lanes", words...), base)
	k.MOVQ(r.rest, back)
	k.SHLQ(U8(2), back)
	k.SUBQ(back, base)
	r.mask = Mem{Base: base, Disp: 32}
	return r
}

// each loops over the row.
func (r *row) each(body func(a at)) {
	r.eachBy(1, func(a at, _ int) { body(a) })
}

// eachBy loops over the row, with several vectors per iteration while there are enough. body gets
// the number of the vector that it works on.
func (r *row) eachBy(vectors int, body func(a at, j int)) {
	index, size := r.GP64(), 4*r.lanes
	one, rest, end := r.label("one"), r.label("rest"), r.label("end")
	r.XORQ(index, index)
	if vectors > 1 {
		many, limit := r.label("many"), r.GP64()
		r.LEAQ(Mem{Base: r.full, Disp: -(vectors - 1) * size}, limit)
		r.CMPQ(index, limit)
		r.JGE(LabelRef(one))
		r.Label(many)
		for j := range vectors {
			body(at{r, index, j * size, false}, j)
		}
		r.ADDQ(I32(vectors*size), index)
		r.CMPQ(index, limit)
		r.JLT(LabelRef(many))
	}
	r.Label(one)
	r.CMPQ(index, r.full)
	r.JGE(LabelRef(rest))
	body(at{r, index, 0, false}, 0)
	r.ADDQ(I32(size), index)
	r.JMP(LabelRef(one))
	r.Label(rest)
	r.TESTQ(r.rest, r.rest)
	r.JZ(LabelRef(end))
	body(at{r, index, 0, true}, 0)
	r.Label(end)
}

func (a at) mem(base reg.GPVirtual) Mem {
	return Mem{Base: base, Index: a.index, Scale: 1, Disp: a.ahead}
}

// laneMask returns the mask of the last lanes in a register (AVX2).
func (a at) laneMask() V { return a.copy(a.mask) }

// load reads a vector, with zeros after the end of the row.
func (a at) load(base reg.GPVirtual) V {
	x := a.new()
	switch {
	case !a.tail:
		a.VMOVUPS(a.mem(base), x)
	case a.masked:
		a.VMOVUPS_Z(a.mem(base), a.some, x)
	default:
		a.VMASKMOVPS(a.mem(base), a.laneMask(), x)
	}
	return x
}

// loadOr reads a vector, with the lanes of other after the end of the row.
func (a at) loadOr(base reg.GPVirtual, other V) V {
	switch {
	case !a.tail:
		return a.load(base)
	case a.masked:
		x := a.copy(other)
		a.VMOVUPS(a.mem(base), a.some, x)
		return x
	}
	x, m := a.new(), a.laneMask()
	a.VMASKMOVPS(a.mem(base), m, x)
	a.VBLENDVPS(m, x, other, x)
	return x
}

func (a at) store(x V, base reg.GPVirtual) {
	switch {
	case !a.tail:
		a.VMOVUPS(x, a.mem(base))
	case a.masked:
		a.VMOVUPS(x, a.some, a.mem(base))
	default:
		a.VMASKMOVPS(x, a.laneMask(), a.mem(base))
	}
}

// keep returns x with zeros after the end of the row.
func (a at) keep(x V) V {
	switch {
	case !a.tail:
		return x
	case a.masked:
		r := a.new()
		a.VMOVAPS_Z(x, a.some, r)
		return r
	}
	return a.and(x, a.mask)
}

// rows loops over n ≥ 1 rows and moves the pointers from each to the next.
func (k *vec) rows(n, bytes reg.GPVirtual, body func(), pointers ...reg.GPVirtual) {
	next := k.label("row")
	k.Label(next)
	body()
	for _, p := range pointers {
		k.ADDQ(bytes, p)
	}
	k.DECQ(n)
	k.JNZ(LabelRef(next))
}
