package main

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

var emitElementwise = emitFamily(
	binary("Add", func(k *vec, x, y V) V { return k.add(x, y) }),
	binary("Mul", func(k *vec, x, y V) V { return k.mul(x, y) }),
	emitAxpy, emitScale,
	rowwise("AddRow", func(k *vec, x, row V) V { return k.add(x, row) }),
	rowwise("MulRows", func(k *vec, x, row V) V { return k.mul(x, row) }),
	emitSumRows, emitMulSumRows, emitDot,
)

// binary emits dst = f(a, b).
func binary(name string, f func(k *vec, x, y V) V) func(*vec) {
	return func(k *vec) {
		k.begin(name, "func(dst, a, b, n uintptr)")
		dst, a, b := k.param("dst"), k.param("a"), k.param("b")
		k.row(k.param("n")).eachBy(2, func(p at, _ int) {
			p.store(f(k, p.load(a), p.load(b)), dst)
		})
		k.end()
	}
}

func emitAxpy(k *vec) {
	k.begin("Axpy", "func(dst, x, n uintptr, alpha float32)")
	dst, x, alpha := k.param("dst"), k.param("x"), k.scalar("alpha")
	k.row(k.param("n")).eachBy(2, func(p at, _ int) {
		sum := p.load(dst)
		k.addProduct(sum, p.load(x), alpha)
		p.store(sum, dst)
	})
	k.end()
}

func emitScale(k *vec) {
	k.begin("Scale", "func(dst, x, n uintptr, alpha float32)")
	dst, x, alpha := k.param("dst"), k.param("x"), k.scalar("alpha")
	k.row(k.param("n")).eachBy(2, func(p at, _ int) {
		p.store(k.mul(p.load(x), alpha), dst)
	})
	k.end()
}

// bytes returns the size of n elements in bytes.
func (k *vec) bytes(n reg.GPVirtual) reg.GPVirtual {
	b := k.GP64()
	k.MOVQ(n, b)
	k.SHLQ(U8(2), b)
	return b
}

// rowwise emits dst = f(x, row) for each row of x.
func rowwise(name string, f func(k *vec, x, y V) V) func(*vec) {
	return func(k *vec) {
		k.begin(name, "func(dst, x, row, rows, cols uintptr)")
		dst, x, row := k.param("dst"), k.param("x"), k.param("row")
		rows, cols := k.param("rows"), k.param("cols")
		r := k.row(cols)
		k.rows(rows, k.bytes(cols), func() {
			r.eachBy(2, func(p at, _ int) { p.store(f(k, p.load(x), p.load(row)), dst) })
		}, dst, x)
		k.end()
	}
}

func emitDot(k *vec) {
	k.begin("Dot", "func(a, b, n uintptr) float32")
	a, b := k.param("a"), k.param("b")
	sums := k.zeros(4)
	k.row(k.param("n")).eachBy(4, func(p at, j int) {
		k.addProduct(sums[j], p.load(a), p.load(b))
	})
	total := k.across(k.total(sums), k.VADDPS)
	k.Store(total.AsX(), k.ReturnIndex(0))
	k.end()
}

func (k *vec) zeros(n int) (z []V) {
	for range n {
		z = append(z, k.zero())
	}
	return z
}

// total adds up vectors, and overwrites the first.
func (k *vec) total(sums []V) V {
	for n := len(sums); n > 1; n /= 2 {
		for j := range n / 2 {
			k.VADDPS(sums[j+n/2], sums[j], sums[j])
		}
	}
	return sums[0]
}
