package main

import (
	. "github.com/mmcloughlin/avo/operand"
)

var emitAttend = emitFamily(emitLaneSums, emitScaleRows)

// emitLaneSums emits dst[i] = the sum of the lanes of vector i of src.
func emitLaneSums(k *vec) {
	k.begin("LaneSums", "func(dst, src, rows uintptr)")
	dst, src, rows := k.param("dst"), k.param("src"), k.param("rows")
	k.Label("row")
	sum := k.across(k.copy(Mem{Base: src}), k.VADDPS)
	k.VMOVSS(sum.AsX(), Mem{Base: dst})
	k.ADDQ(I32(4*k.lanes), src)
	k.ADDQ(U8(4), dst)
	k.DECQ(rows)
	k.JNZ(LabelRef("row"))
	k.end()
}

// emitScaleRows emits dst = factors[i]·dst for the rows i of a matrix, which are stride bytes
// apart.
func emitScaleRows(k *vec) {
	k.begin("ScaleRows", "func(dst, factors, rows, cols, stride uintptr)")
	dst, factors, rows := k.param("dst"), k.param("factors"), k.param("rows")
	r, stride := k.row(k.param("cols")), k.param("stride")
	k.rows(rows, stride, func() {
		factor := k.new()
		k.VBROADCASTSS(Mem{Base: factors}, factor)
		r.eachBy(2, func(p at, _ int) { p.store(k.mul(p.load(dst), factor), dst) })
		k.ADDQ(U8(4), factors)
	}, dst)
	k.end()
}
