package main

import . "github.com/mmcloughlin/avo/operand"

// emitGates emits the kernels of gates.go of package tensor.
var emitGates = emitFamily(emitSigmoidRows, emitTanhRows, emitGate, emitGateBackward,
	emitResetBackward, emitQuickGELU, emitQuickGELUBackward, emitCombineRows)

// logistic computes the logistic function.
type logistic struct {
	*vec
	exp                               exponential
	one, minus, half, magnitude, sign Op
}

func (k *vec) logistic() logistic {
	return logistic{k, k.exponential(), k.constant(1), k.constant(-1), k.constant(0.5), k.bits(1<<31 - 1), k.bits(1 << 31)}
}

// tail returns Q(|v|) with Q(z) = e^−z/(1 + e^−z).
func (l logistic) tail(v V) V {
	e := l.exp.of(l.mul(l.and(v, l.magnitude), l.minus))
	return l.mul(l.reciprocal(l.add(e, l.one), l.one), e)
}

// of returns ½ ± (½ − Q(|v|)) with the sign of v.
func (l logistic) of(v V) V {
	above := l.sub(l.copy(l.half), l.tail(v))
	l.VXORPS(l.and(v, l.sign), above, above)
	return l.add(above, l.half)
}

// spread returns v − v².
func (k *vec) spread(v V) V {
	r := k.copy(v)
	k.subProduct(r, v, v)
	return r
}

func emitSigmoidRows(k *vec) {
	k.activationRows("SigmoidRows", func() func(V) V { return k.logistic().of })
}

// emitTanhRows emits tanh v = ±(1 − 2Q(2|v|)) with the sign of v.
func emitTanhRows(k *vec) {
	k.activationRows("TanhRows", func() func(V) V {
		l, two := k.logistic(), k.constant(2)
		return func(v V) V {
			y := k.copy(l.one)
			k.subProduct(y, l.tail(k.mul(v, two)), two)
			k.VXORPS(k.and(v, l.sign), y, y)
			return y
		}
	})
}

// activationRows emits dst = f(x + row) for each row of x. It calls prepare before the loop.
func (k *vec) activationRows(name string, prepare func() func(V) V) {
	k.begin(name, "func(dst, x, row, rows, cols uintptr)")
	dst, x, row := k.param("dst"), k.param("x"), k.param("row")
	rows, cols := k.param("rows"), k.param("cols")
	f, r := prepare(), k.row(cols)
	k.rows(rows, k.bytes(cols), func() {
		r.each(func(p at) { p.store(f(k.add(p.load(x), p.load(row))), dst) })
	}, dst, x)
	k.end()
}

func emitGate(k *vec) {
	k.begin("Gate", "func(dst, gate, a, b, n uintptr)")
	dst, g, a, b := k.param("dst"), k.param("gate"), k.param("a"), k.param("b")
	one := k.constant(1)
	k.row(k.param("n")).eachBy(2, func(p at, _ int) {
		w := p.load(g)
		y := k.mul(k.sub(k.copy(one), w), p.load(b))
		k.addProduct(y, w, p.load(a))
		p.store(y, dst)
	})
	k.end()
}

func emitGateBackward(k *vec) {
	k.begin("GateBackward", "func(dg, da, db, dy, gate, a, b, n uintptr)")
	dg, da, db, dy := k.param("dg"), k.param("da"), k.param("db"), k.param("dy")
	g, a, b := k.param("gate"), k.param("a"), k.param("b")
	one := k.constant(1)
	k.row(k.param("n")).each(func(p at) {
		w, slope, c := p.load(g), p.load(dy), p.load(b)
		p.store(k.mul(k.mul(slope, k.spread(w)), k.sub(p.load(a), c)), dg)
		p.store(k.mul(slope, w), da)
		flat := k.copy(one)
		k.subProduct(flat, c, c)
		p.store(k.mul(k.mul(slope, k.sub(k.copy(one), w)), flat), db)
	})
	k.end()
}

func emitResetBackward(k *vec) {
	k.begin("ResetBackward", "func(dr, dx, dq, r, x, n uintptr)")
	dr, dx, dq := k.param("dr"), k.param("dx"), k.param("dq")
	r, x := k.param("r"), k.param("x")
	k.row(k.param("n")).each(func(p at) {
		slope, w := p.load(dq), p.load(r)
		sum := p.load(dx)
		k.addProduct(sum, slope, w)
		p.store(sum, dx)
		p.store(k.mul(k.mul(slope, p.load(x)), k.spread(w)), dr)
	})
	k.end()
}

// quick is the factor in the logistic approximation of GELU.
const quick = 1.702

func emitQuickGELU(k *vec) {
	k.begin("QuickGELU", "func(dst, x, n uintptr)")
	dst, x := k.param("dst"), k.param("x")
	l, factor := k.logistic(), k.constant(quick)
	k.row(k.param("n")).each(func(p at) {
		v := p.load(x)
		p.store(k.mul(v, l.of(k.mul(v, factor))), dst)
	})
	k.end()
}

func emitQuickGELUBackward(k *vec) {
	k.begin("QuickGELUBackward", "func(dx, y, x, dy, n uintptr)")
	dx, y, x, dy := k.param("dx"), k.param("y"), k.param("x"), k.param("dy")
	l, factor := k.logistic(), k.constant(quick)
	k.row(k.param("n")).each(func(p at) {
		v, slope := p.load(x), p.load(dy)
		u := k.mul(v, factor)
		s := l.of(u)
		p.store(k.mul(v, s), y)
		k.addProduct(s, u, k.spread(s))
		p.store(k.mul(s, slope), dx)
	})
	k.end()
}

func emitCombineRows(k *vec) {
	k.begin("CombineRows", "func(dst, x, p, y, q, row, rows, cols uintptr)")
	dst, x, y := k.param("dst"), k.param("x"), k.param("y")
	px, qy, row := k.param("p"), k.param("q"), k.param("row")
	rows, cols := k.param("rows"), k.param("cols")
	r := k.row(cols)
	k.rows(rows, k.bytes(cols), func() {
		r.eachBy(2, func(p at, _ int) {
			sum := p.load(row)
			k.addProduct(sum, p.load(x), p.load(px))
			k.addProduct(sum, p.load(y), p.load(qy))
			p.store(sum, dst)
		})
	}, dst, x, y)
	k.end()
}
