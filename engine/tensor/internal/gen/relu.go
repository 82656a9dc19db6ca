package main

import (
	. "github.com/mmcloughlin/avo/operand"
)

var emitReLU = emitFamily(emitReLUForward, emitReLUBackward)

// greater and notBelow are comparisons, with the numbers of VCMPPS.
const (
	greater  = 0x1e // false for NaN
	notBelow = 0x16 // not less than or equal: true for NaN
)

// where returns y in the lanes in which the comparison of x and z is true, and 0 in the others.
func (k *vec) where(comparison uint8, x, z, y V) V {
	r := k.new()
	if !k.masked {
		k.VCMPPS(U8(comparison), z, x, r)
		return k.and(r, y)
	}
	m := k.K()
	k.VCMPPS(U8(comparison), z, x, m)
	k.VMOVAPS_Z(y, m, r)
	return r
}

func emitReLUForward(k *vec) {
	k.begin("ReLU", "func(dst, x, n uintptr)")
	dst, x := k.param("dst"), k.param("x")
	zero := k.zero()
	k.row(k.param("n")).eachBy(2, func(p at, _ int) {
		v := p.load(x)
		p.store(k.where(notBelow, v, zero, v), dst)
	})
	k.end()
}

func emitReLUBackward(k *vec) {
	k.begin("ReLUBackward", "func(dx, x, dy, n uintptr)")
	dx, x, dy := k.param("dx"), k.param("x"), k.param("dy")
	zero := k.zero()
	k.row(k.param("n")).eachBy(2, func(p at, _ int) {
		p.store(k.where(greater, p.load(x), zero, p.load(dy)), dx)
	})
	k.end()
}
