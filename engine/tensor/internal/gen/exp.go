package main

import (
	. "github.com/mmcloughlin/avo/operand"
)

// exponential computes e^x for x ≤ 0, with the steps of exp in exp_f32.go.
type exponential struct {
	*vec
	log2e, high, low, floor Op
	polynomial              []Op
}

const expFloor = -87.33654

func (k *vec) exponential() exponential {
	return exponential{k, k.constant(1.44269504), k.constant(0.693359375), k.constant(-2.12194440e-4),
		k.constant(expFloor),
		k.constants(1.388890e-3, 8.333332e-3, 4.1666646e-2, 1.6666666e-1, 0.5, 1, 1)}
}

func (e exponential) of(x V) V {
	const nearest = U8(0)
	const notLess = U8(5) // also true for NaN
	n := e.mul(x, e.log2e)
	if e.masked {
		e.VRNDSCALEPS(nearest, n, n)
	} else {
		e.VROUNDPS(nearest, n, n)
	}
	r := e.copy(x)
	e.subProduct(r, n, e.high)
	e.subProduct(r, n, e.low)
	p := e.horner(r, e.polynomial)
	if e.masked {
		normal := e.K()
		e.VCMPPS(notLess, e.floor, x, normal)
		e.VSCALEFPS_Z(n, p, normal, p)
		return p
	}
	normal := e.new()
	e.VCMPPS(notLess, e.floor, x, normal)
	e.VCVTPS2DQ(n, n)
	e.VPSLLD(U8(23), n, n)
	e.VPADDD(n, p, p)
	e.VANDPS(normal, p, p)
	return p
}
