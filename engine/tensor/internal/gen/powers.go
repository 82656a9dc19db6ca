package main

import (
	"math"

	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// power computes 2^x for any x, with a relative error of at most 1.5e-7. It uses 2^x = 2^⌊x⌋·2^r,
// where a polynomial approximates 2^r for 0 ≤ r ≤ 1. The result is exact for integers, ∞ if it is
// too large for a float32, and 0 for −∞. It can be 0 if 2^x is not a normal number.
type power struct {
	*vec
	polynomial []Mem // coefficients, highest power first
	most       Mem   // AVX2: 2^most is ∞
	least      Mem   // AVX2: below this x, 2^x is not normal
}

func (k *vec) power() power {
	p := power{vec: k, most: k.floats(128), least: k.floats(-126)}
	for _, c := range []float32{0.00186713, 0.009017031, 0.055799913, 0.24016444, 0.6931513, 1} {
		p.polynomial = append(p.polynomial, k.floats(c))
	}
	return p
}

// floats returns a constant in memory, repeated in as many lanes as AVX2 has.
func (k *vec) floats(x float32) Mem { return k.words(math.Float32bits(x)) }

const downwards = U8(9) // rounding down, without an exception for inexact results

// of replaces each x by its power. In lanes that the masks exclude, the power is 0.
func (e power) of(x []V, keep []Op) {
	if e.masked {
		e.masked512(x, keep)
		return
	}
	for i := range x {
		e.one(x[i], keep[i])
	}
}

// masked512 performs each step for all of x before the next one, so that no vector waits for
// another.
func (e power) masked512(x []V, keep []Op) {
	r, p := make([]V, len(x)), make([]V, len(x))
	for i := range x {
		r[i], p[i] = e.new(), e.new()
		e.VREDUCEPS(downwards, x[i], r[i])
		e.VBROADCASTSS(e.polynomial[0], p[i])
	}
	for _, c := range e.polynomial[1:] {
		for i := range x {
			e.VFMADD213PS_BCST(c, r[i], p[i])
		}
	}
	for i := range x {
		e.VSCALEFPS_Z(x[i], p[i], keep[i], x[i])
	}
}

// one does the same for one vector with AVX2.
func (e power) one(x V, keep Op) {
	const notLess = U8(5) // also true for NaN
	normal, n := e.new(), e.copy(e.most)
	e.VMINPS(x, n, x) // x, if it is NaN
	e.VROUNDPS(downwards, x, n)
	e.VCMPPS(notLess, e.least, x, normal)
	e.VSUBPS(n, x, x)
	p := e.copy(e.polynomial[0])
	for _, c := range e.polynomial[1:] {
		e.VFMADD213PS(c, x, p)
	}
	e.VCVTTPS2DQ(n, n)
	e.VPSLLD(U8(23), n, n)
	e.VPADDD(n, p, p)
	e.VANDPS(normal, p, p)
	e.VANDPS(keep, p, x)
}

// powersAtOnce is the number of vectors of powers that are computed in parallel, limited by the
// free registers.
const powersAtOnce = 4

// storePowers writes 2^sum for the sums, in whole vectors with 0 after the last column. It adds the
// powers of each row, lane by lane, to a vector of E.
func (k *tileKernel) storePowers(cc reg.GPVirtual) {
	e, es := k.GP64(), k.GP64()
	k.MOVQ(k.field(tileE), e)
	k.MOVQ(k.field(tileES), es)
	p, cs := k.GP64(), k.GP64()
	k.MOVQ(cc, p)
	k.MOVQ(k.field(tileCS), cs)
	power := k.power()
	for i := 0; i < k.m; i += powersAtOnce / k.nv {
		rows := k.acc[i:min(k.m, i+powersAtOnce/k.nv)]
		var x []V
		var keep []Op
		for _, row := range rows {
			for j := range row {
				x, keep = append(x, row[j]), append(keep, k.keep(j))
			}
		}
		power.of(x, keep)
		for _, row := range rows {
			k.storeRow(row, p, e)
			k.ADDQ(cs, p)
			k.ADDQ(es, e)
		}
	}
}

// keep returns the mask of the lanes of vector j that are columns.
func (k *tileKernel) keep(j int) Op {
	if k.masked {
		return k.mask[j]
	}
	return k.field(tileLanes + 32*j)
}

// storeRow writes a row of powers to p and adds them to the vector at e.
func (k *tileKernel) storeRow(row []reg.VecVirtual, p, e reg.GPVirtual) {
	for j, x := range row {
		k.VMOVUPS(x, Mem{Base: p, Disp: 4 * k.lanes * j})
	}
	sum := row[0]
	for _, x := range row[1:] {
		sum = k.add(sum, x)
	}
	sum = k.add(sum, Mem{Base: e})
	k.VMOVUPS(sum, Mem{Base: e})
}
