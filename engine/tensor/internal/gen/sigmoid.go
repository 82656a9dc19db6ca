package main

var emitSigmoids = emitFamily(emitSigmoid)

// emitSigmoid emits dst = ½ ± (½ − Q(|x|)) with the sign of x, Q(z) = e^−z/(1 + e^−z).
func emitSigmoid(k *vec) {
	k.begin("Sigmoid", "func(dst, x, n uintptr)")
	dst, x := k.param("dst"), k.param("x")
	exp, one, minus, half := k.exponential(), k.constant(1), k.constant(-1), k.constant(0.5)
	magnitude, sign := k.bits(1<<31-1), k.bits(1<<31)
	k.row(k.param("n")).each(func(p at) {
		v := p.load(x)
		e := exp.of(k.mul(k.and(v, magnitude), minus))
		q := k.mul(k.reciprocal(k.add(e, one), one), e)
		above := k.sub(k.copy(half), q)
		k.VXORPS(k.and(v, sign), above, above)
		p.store(k.add(above, half), dst)
	})
	k.end()
}
