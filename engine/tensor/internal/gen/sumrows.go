package main

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

func emitSumRows(k *vec) {
	k.begin("SumRows", "func(dst, x, rows, cols uintptr)")
	k.sumRows(k.param("dst"), []reg.GPVirtual{k.param("x")}, func(sum V, x []V) {
		k.VADDPS(x[0], sum, sum)
	})
}

func emitMulSumRows(k *vec) {
	k.begin("MulSumRows", "func(dst, a, b, rows, cols uintptr)")
	k.sumRows(k.param("dst"), []reg.GPVirtual{k.param("a"), k.param("b")}, func(sum V, x []V) {
		k.addProduct(sum, x[0], x[1])
	})
}

// sumWidth is the number of vectors of columns that are summed in one pass over the rows.
const sumWidth = 4

// sumRows emits the rest of a kernel that adds rows of arrays to dst. The function add adds the
// vectors at one place of each array.
func (k *vec) sumRows(dst reg.GPVirtual, arrays []reg.GPVirtual, add func(sum V, x []V)) {
	rows, cols := k.param("rows"), k.param("cols")
	s := rowSum{k, dst, arrays, rows, k.bytes(cols), k.row(cols), k.GP64(), add}
	limit := k.GP64()
	k.XORQ(s.index, s.index)
	k.LEAQ(Mem{Base: s.full, Disp: -(sumWidth - 1) * 4 * k.lanes}, limit)
	k.Label("wide")
	k.CMPQ(s.index, limit)
	k.JGE(LabelRef("narrow"))
	s.down(sumWidth, false)
	k.ADDQ(I32(sumWidth*4*k.lanes), s.index)
	k.JMP(LabelRef("wide"))
	k.Label("narrow")
	k.CMPQ(s.index, s.full)
	k.JGE(LabelRef("rest"))
	s.down(1, false)
	k.ADDQ(I32(4*k.lanes), s.index)
	k.JMP(LabelRef("narrow"))
	k.Label("rest")
	k.TESTQ(s.rest, s.rest)
	k.JZ(LabelRef("end"))
	s.down(1, true)
	k.Label("end")
	k.end()
}

// rowSum is the state of a sum of rows while it is emitted.
type rowSum struct {
	*vec
	dst          reg.GPVirtual
	arrays       []reg.GPVirtual
	rows, stride reg.GPVirtual
	*row
	index reg.GPVirtual // of the column, in bytes
	add   func(sum V, x []V)
}

// down sums some vectors of columns over all rows.
func (s rowSum) down(vectors int, tail bool) {
	var pointers []reg.GPVirtual
	for _, a := range s.arrays {
		p := s.GP64()
		s.MOVQ(a, p)
		pointers = append(pointers, p)
	}
	n := s.GP64()
	s.MOVQ(s.rows, n)
	var places []at
	var sums []V
	for j := range vectors {
		places = append(places, at{s.row, s.index, 4 * s.lanes * j, tail})
		sums = append(sums, places[j].load(s.dst))
	}
	s.vec.rows(n, s.stride, func() {
		for j, p := range places {
			var x []V
			for _, base := range pointers {
				x = append(x, p.load(base))
			}
			s.add(sums[j], x)
		}
	}, pointers...)
	for j, p := range places {
		p.store(sums[j], s.dst)
	}
}
