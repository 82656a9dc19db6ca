package main

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

var emitLayerNorm = emitFamily(emitLayerNormRows, emitLayerNormRowsBackward)

// inverse broadcasts 1/n.
func (k *vec) inverse(n reg.GPVirtual) V {
	x := k.XMM()
	k.VXORPS(x, x, x)
	k.VCVTSI2SSQ(n, x, x)
	r := k.new()
	k.VBROADCASTSS(x, r)
	return k.div(k.copy(k.constant(1)), r)
}

// broadcast loads one number into all lanes.
func (k *vec) broadcast(m Mem) V {
	r := k.new()
	k.VBROADCASTSS(m, r)
	return r
}

// storeOne writes the first lane.
func (k *vec) storeOne(x V, m Mem) { k.VMOVSS(x.AsX(), m) }

func emitLayerNormRows(k *vec) {
	k.begin("LayerNormRows", "func(dst, x, gamma, beta, mean, rstd, rows, cols uintptr, eps float32)")
	dst, x, gamma, beta := k.param("dst"), k.param("x"), k.param("gamma"), k.param("beta")
	mean, rstd, rows, cols := k.param("mean"), k.param("rstd"), k.param("rows"), k.param("cols")
	eps, share := k.scalar("eps"), k.inverse(cols)
	r := k.row(cols)
	one := k.constant(1)
	k.rows(rows, k.bytes(cols), func() {
		sums := k.zeros(2)
		r.eachBy(2, func(p at, j int) { k.VADDPS(p.load(x), sums[j], sums[j]) })
		m := k.mul(k.across(k.total(sums), k.VADDPS), share)
		sums = k.zeros(2)
		r.eachBy(2, func(p at, j int) {
			d := p.keep(k.sub(p.load(x), m))
			k.addProduct(sums[j], d, d)
		})
		s := k.add(k.mul(k.across(k.total(sums), k.VADDPS), share), eps)
		k.VSQRTPS(s, s)
		s = k.div(k.copy(one), s)
		r.eachBy(2, func(p at, _ int) {
			y := p.load(beta)
			k.addProduct(y, k.mul(k.sub(p.load(x), m), s), p.load(gamma))
			p.store(y, dst)
		})
		k.storeOne(m, Mem{Base: mean})
		k.storeOne(s, Mem{Base: rstd})
		k.ADDQ(U8(4), mean)
		k.ADDQ(U8(4), rstd)
	}, dst, x)
	k.end()
}

func emitLayerNormRowsBackward(k *vec) {
	k.begin("LayerNormRowsBackward", "func(dx, dgamma, dbeta, x, gamma, mean, rstd, dy, rows, cols uintptr)")
	dx, dgamma, dbeta, x := k.param("dx"), k.param("dgamma"), k.param("dbeta"), k.param("x")
	gamma, mean, rstd, dy := k.param("gamma"), k.param("mean"), k.param("rstd"), k.param("dy")
	cols := k.param("cols")
	share := k.inverse(cols)
	r := k.row(cols)
	stride := k.bytes(cols)
	rows, err := k.Param("rows").Resolve()
	if err != nil {
		panic(err)
	}
	left := rows.Addr // counted down in memory, because registers are scarce
	k.Label("next")
	m, s := k.broadcast(Mem{Base: mean}), k.broadcast(Mem{Base: rstd})
	sum, along := k.zero(), k.zero()
	r.each(func(p at) {
		hat, g := k.mul(k.sub(p.load(x), m), s), p.load(dy)
		p.store(k.add(p.load(dbeta), g), dbeta)
		d := p.load(dgamma)
		k.addProduct(d, hat, g)
		p.store(d, dgamma)
		g = k.mul(g, p.load(gamma))
		k.VADDPS(p.keep(g), sum, sum)
		k.addProduct(along, p.keep(hat), g)
	})
	sum = k.mul(k.across(sum, k.VADDPS), share)
	along = k.mul(k.across(along, k.VADDPS), share)
	r.each(func(p at) {
		hat, g := k.mul(k.sub(p.load(x), m), s), k.mul(p.load(dy), p.load(gamma))
		k.VSUBPS(sum, g, g)
		k.subProduct(g, hat, along)
		p.store(k.mul(g, s), dx)
	})
	for _, p := range []reg.GPVirtual{dx, x, dy} {
		k.ADDQ(stride, p)
	}
	k.ADDQ(U8(4), mean)
	k.ADDQ(U8(4), rstd)
	k.DECQ(left)
	k.JNZ(LabelRef("next"))
	k.end()
}
