package main

import (
	"math"

	. "github.com/mmcloughlin/avo/operand"
)

var emitGELU = emitFamily(
	gelu("GELU", newNormalTail), geluBackward("GELUBackward", newNormalTail),
	gelu("GELUTanh", newLogisticTail), geluBackward("GELUTanhBackward", newLogisticTail),
)

// tail is a probability that falls from ½ to 0 over z ≥ 0.
type tail interface {
	// of returns the tail at z and, if slope is true, z times its density.
	of(z V, slope bool) (q, density V)
}

// normalTail is the tail of the normal distribution, with the coefficients of normalTail in
// exp_f32.go.
type normalTail struct {
	*vec
	exp                      exponential
	half, scale, one, factor Op
	polynomial               []Op
}

func newNormalTail(k *vec) tail {
	return normalTail{k, k.exponential(), k.constant(-0.5), k.constant(0.4), k.constant(1),
		k.constant(float32(1 / math.Sqrt(2*math.Pi))),
		k.constants(0.05634185202702385, -0.25446582994389294, 0.3392736602817411,
			0.013581663490969812, 0.18853397225495178, 0.15673473037344912)}
}

func (n normalTail) of(z V, slope bool) (q, density V) {
	e := n.exp.of(n.mul(n.mul(z, z), n.half))
	d := n.copy(n.one)
	n.addProduct(d, z, n.scale)
	t := n.reciprocal(d, n.one)
	if slope {
		density = n.mul(n.mul(z, e), n.factor)
	}
	return n.mul(n.mul(n.horner(t, n.polynomial), t), e), density
}

// logisticTail is the tail of GELUTanh; see logisticTail in gelu.go.
type logisticTail struct {
	*vec
	exp                        exponential
	one, linear, cubic, triple Op
}

func newLogisticTail(k *vec) tail {
	const linear = 1.5957691216057308
	return logisticTail{k, k.exponential(), k.constant(1), k.constant(-linear),
		k.constant(-linear * 0.044715), k.constant(-3 * linear * 0.044715)}
}

func (l logisticTail) of(z V, slope bool) (q, density V) {
	square := l.mul(z, z)
	u := l.copy(l.linear)
	l.addProduct(u, square, l.cubic)
	e := l.exp.of(l.mul(u, z))
	q = l.mul(l.reciprocal(l.add(e, l.one), l.one), e)
	if !slope {
		return q, nil
	}
	rise := l.copy(l.linear) // minus the derivative of u·z
	l.addProduct(rise, square, l.triple)
	product := l.mul(q, q)
	l.VSUBPS(q, product, product) // −q(1−q)
	return q, l.mul(l.mul(product, rise), z)
}

// gelu emits dst = x⁺ − |x|·Q(|x|).
func gelu(name string, newTail func(*vec) tail) func(*vec) {
	return func(k *vec) {
		k.begin(name, "func(dst, x, n uintptr)")
		dst, x := k.param("dst"), k.param("x")
		t, magnitude, last := newTail(k), k.bits(1<<31-1), k.constant(geluEnd)
		r := k.row(k.param("n"))
		r.each(func(p at) {
			v := p.load(x)
			z := k.min(k.copy(last), k.and(v, magnitude))
			q, _ := t.of(z, false)
			y := k.max(k.zero(), v)
			k.subProduct(y, z, q)
			p.store(y, dst)
		})
		k.end()
	}
}

// geluEnd is the |x| beyond which the tails are 0; see gelu.go.
const geluEnd = 14

// geluBackward emits dx = dy·(½ ± (½ − Q(|x|) + |x|·density)), with the sign
// of x.
func geluBackward(name string, newTail func(*vec) tail) func(*vec) {
	return func(k *vec) {
		k.begin(name, "func(dx, x, dy, n uintptr)")
		dx, x, dy := k.param("dx"), k.param("x"), k.param("dy")
		t, magnitude, last := newTail(k), k.bits(1<<31-1), k.constant(geluEnd)
		sign, half := k.bits(1<<31), k.constant(0.5)
		k.row(k.param("n")).each(func(p at) {
			v := p.load(x)
			z := k.min(k.copy(last), k.and(v, magnitude))
			q, density := t.of(z, true)
			above := k.add(k.sub(k.copy(half), q), density)
			k.VXORPS(k.and(v, sign), above, above)
			p.store(k.mul(k.add(above, half), p.load(dy)), dx)
		})
		k.end()
	}
}
