package main

import (
	"math"
)

var emitSoftmax = emitFamily(emitSoftmaxRows, emitSoftmaxRowsBackward)

func emitSoftmaxRows(k *vec) {
	k.begin("SoftmaxRows", "func(dst, src, rows, cols uintptr)")
	dst, src := k.param("dst"), k.param("src")
	rows, cols := k.param("rows"), k.param("cols")
	r := k.row(cols)
	e := k.exponential()
	lowest := k.constant(float32(math.Inf(-1)))
	one := k.constant(1)
	k.rows(rows, k.bytes(cols), func() {
		largest := []V{k.copy(lowest), k.copy(lowest)}
		bottom := k.copy(lowest)
		r.eachBy(2, func(p at, j int) { // NaN is ignored
			k.VMAXPS(largest[j], p.loadOr(src, bottom), largest[j])
		})
		k.VMAXPS(largest[1], largest[0], largest[0])
		top := k.across(largest[0], k.VMAXPS)
		sums := k.zeros(2)
		r.eachBy(2, func(p at, j int) {
			x := e.of(k.sub(p.load(src), top))
			p.store(x, dst)
			k.VADDPS(p.keep(x), sums[j], sums[j])
		})
		scale := k.div(k.copy(one), k.across(k.total(sums), k.VADDPS))
		r.eachBy(2, func(p at, _ int) { p.store(k.mul(p.load(dst), scale), dst) })
	}, dst, src)
	k.end()
}

func emitSoftmaxRowsBackward(k *vec) {
	k.begin("SoftmaxRowsBackward", "func(dx, y, dy, rows, cols uintptr)")
	dx, y, dy := k.param("dx"), k.param("y"), k.param("dy")
	rows, cols := k.param("rows"), k.param("cols")
	r := k.row(cols)
	k.rows(rows, k.bytes(cols), func() {
		sums := k.zeros(2)
		r.eachBy(2, func(p at, j int) { k.addProduct(sums[j], p.load(y), p.load(dy)) })
		mean := k.across(k.total(sums), k.VADDPS)
		r.eachBy(2, func(p at, _ int) {
			p.store(k.mul(k.sub(p.load(dy), mean), p.load(y)), dx)
		})
	}, dx, y, dy)
	k.end()
}
