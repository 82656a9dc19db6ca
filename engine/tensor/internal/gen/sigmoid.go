package main

var emitSigmoids = emitFamily(emitSigmoid)

func emitSigmoid(k *vec) {
	k.begin("Sigmoid", "func(dst, x, n uintptr)")
	dst, x := k.param("dst"), k.param("x")
	l := k.logistic()
	k.row(k.param("n")).each(func(p at) { p.store(l.of(p.load(x)), dst) })
	k.end()
}
