package main

import (
	. "github.com/mmcloughlin/avo/operand"
)

var emitAdamW = emitFamily(emitAdamWStep)

// emitAdamWStep emits the update of adamw.go. It reads the fields of adamFactors in their order.
func emitAdamWStep(k *vec) {
	k.begin("AdamW", "func(p, m, v, grad, n, factors uintptr)")
	p, m, v, g := k.param("p"), k.param("m"), k.param("v"), k.param("grad")
	n, factors := k.param("n"), k.param("factors")
	var f [8]V
	for i := range f {
		f[i] = k.broadcast(Mem{Base: factors, Disp: 4 * i})
	}
	keepM, takeM, keepV, takeV, keepP, rate, second, epsilon := f[0], f[1], f[2], f[3], f[4], f[5], f[6], f[7]
	k.row(n).each(func(a at) {
		x := a.load(g)
		first := k.mul(a.load(m), keepM)
		k.addProduct(first, x, takeM)
		a.store(first, m)
		square := k.mul(a.load(v), keepV)
		k.addProduct(square, k.mul(x, takeV), x)
		a.store(square, v)
		root := k.mul(square, second)
		k.VSQRTPS(root, root)
		step := k.div(k.mul(first, rate), k.add(root, epsilon))
		a.store(k.sub(k.mul(a.load(p), keepP), step), p)
	})
	k.end()
}
