package main

import (
	"fmt"
	"math"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Offsets of the fields of tensor.tile. gemm_amd64.go declares this type, and a test compares the
// offsets.
const (
	tileA     = 0
	tileB     = 8
	tileC     = 16
	tileAS    = 24
	tileBS    = 32
	tileCS    = 40
	tileAStep = 48
	tileCStep = 56
	tileK     = 64
	tileCount = 72
	tileBits  = 80
	tileAlpha = 88
	tileAdd   = 92
	tileLanes = 96
	tileNext  = 160
	tileE     = 168
	tileES    = 176
	tileEStep = 184
	tileNStep = 192
	tileBStep = 200
)

// layout is the order in which a micro-kernel finds the elements of A.
type layout uint8

const (
	byRow layout = iota // A(i,k) at a + i·as + 4k
	byCol               // A(i,k) at a + k·as + 4i
)

// tileKind is a kind of micro-kernel. It determines the layout of A, and whether the sums become
// powers.
type tileKind struct {
	name string
	layout
	powers bool // C = 2^(A·B), whose rows are summed (powers.go)
}

var tileKinds = []tileKind{{"Row", byRow, false}, {"Col", byCol, false}, {"Powers", byRow, true}}

func tileName(s isa, kind tileKind, m, nv int) string {
	return fmt.Sprintf("%sTile%s%dx%d", s.name, kind.name, m, nv*s.lanes)
}

func emitTiles(c *build.Context, s isa) {
	f := &family{c, map[string]Mem{}}
	for _, kind := range tileKinds {
		for nv := 1; nv <= 2; nv++ {
			for m := 1; m <= s.tileM; m++ {
				k := &tileKernel{vec: &vec{family: f, isa: s}, tileKind: kind, m: m, nv: nv}
				k.emit()
			}
		}
	}
}

// tileKernel emits one micro-kernel: a column of tiles C[m, nv·lanes] = α·A·B (+ E), one below the
// other, which share B.
type tileKernel struct {
	*vec
	tileKind
	m, nv int

	t, a, a7, as, as3, as5 reg.GPVirtual
	b, bs, bs3             reg.GPVirtual
	ahead                  reg.GPVirtual
	acc                    [][]reg.VecVirtual
	mask                   []reg.Register
}

func (k *tileKernel) field(at int) Mem { return Mem{Base: k.t, Disp: at} }

func (k *tileKernel) emit() {
	k.Function(tileName(k.isa, k.tileKind, k.m, k.nv))
	k.Attributes(attr.NOSPLIT)
	k.SignatureExpr("func(t uintptr)")
	k.t = k.GP64()
	k.Load(k.Param("t"), k.t)
	k.loadStrides()
	k.loadMasks()
	a, cc, count := k.GP64(), k.GP64(), k.GP64()
	k.MOVQ(k.field(tileA), a)
	k.MOVQ(k.field(tileC), cc)
	k.MOVQ(k.field(tileCount), count)

	k.Label("tile")
	k.clear()
	k.prefetch(cc)
	k.a = k.GP64()
	k.MOVQ(a, k.a)
	if k.layout == byRow && k.m > 7 {
		k.a7 = k.GP64()
		k.LEAQ(Mem{Base: k.as, Index: k.as3, Scale: 2}, k.a7)
		k.ADDQ(k.a, k.a7)
	}
	k.b = k.GP64()
	k.MOVQ(k.field(tileB), k.b)
	k.ahead = k.GP64()
	k.MOVQ(k.field(tileNext), k.ahead)
	k.inner()
	k.MOVQ(k.ahead, k.field(tileNext))
	if k.powers {
		k.storePowers(cc)
	} else {
		k.store(cc)
	}
	k.ADDQ(k.field(tileAStep), a)
	k.ADDQ(k.field(tileCStep), cc)
	k.advanceE()
	k.advanceB()
	k.DECQ(count)
	k.JNZ(LabelRef("tile"))
	k.VZEROUPPER()
	k.RET()
}

func (k *tileKernel) loadStrides() {
	k.as, k.bs, k.bs3 = k.GP64(), k.GP64(), k.GP64()
	k.MOVQ(k.field(tileAS), k.as)
	k.MOVQ(k.field(tileBS), k.bs)
	k.LEAQ(Mem{Base: k.bs, Index: k.bs, Scale: 2}, k.bs3)
	if k.layout == byCol {
		return
	}
	k.as3, k.as5 = k.GP64(), k.GP64()
	k.LEAQ(Mem{Base: k.as, Index: k.as, Scale: 2}, k.as3)
	k.LEAQ(Mem{Base: k.as, Index: k.as, Scale: 4}, k.as5)
}

func (k *tileKernel) loadMasks() {
	if !k.masked {
		return
	}
	bits := k.GP32()
	k.MOVL(k.field(tileBits), bits)
	for j := range k.nv {
		m := k.K()
		if j > 0 {
			k.SHRL(U8(16), bits)
		}
		k.KMOVW(bits, m)
		k.mask = append(k.mask, m)
	}
}

func (k *tileKernel) clear() {
	k.acc = make([][]reg.VecVirtual, k.m)
	for i := range k.acc {
		for range k.nv {
			r := k.reg(k.Context)
			k.VXORPS(low(r), low(r), low(r))
			k.acc[i] = append(k.acc[i], r)
		}
	}
}

// prefetch prefetches the tile of C, which store will need.
func (k *tileKernel) prefetch(cc reg.GPVirtual) {
	p, cs := k.GP64(), k.GP64()
	k.MOVQ(cc, p)
	k.MOVQ(k.field(tileCS), cs)
	for i := range k.m {
		for last := 0; last < k.nv*k.lanes; last += 16 {
			k.PREFETCHT0(Mem{Base: p, Disp: 4 * last})
		}
		if i+1 < k.m {
			k.ADDQ(cs, p)
		}
	}
}

// low returns the part of a register that clears all of it when cleared.
func low(r reg.VecVirtual) reg.Register {
	return r.AsX()
}

// inner loops over k, first four steps per iteration and then one.
func (k *tileKernel) inner() {
	n := k.GP64()
	k.MOVQ(k.field(tileK), n)
	k.SUBQ(U8(4), n)
	k.JL(LabelRef("rest"))
	k.Label("four")
	for u := range 4 {
		k.step(u)
	}
	k.LEAQ(Mem{Base: k.b, Index: k.bs, Scale: 4}, k.b)
	for last := 0; last < k.nv*k.lanes; last += 16 {
		k.PREFETCHT1(Mem{Base: k.ahead, Disp: 4 * last})
		k.PREFETCHT1(Mem{Base: k.ahead, Index: k.bs, Scale: 1, Disp: 4 * last})
	}
	k.ADDQ(k.field(tileNStep), k.ahead)
	k.advance(4)
	k.SUBQ(U8(4), n)
	k.JGE(LabelRef("four"))
	k.Label("rest")
	k.ADDQ(U8(4), n)
	k.JZ(LabelRef("done"))
	k.Label("one")
	k.step(0)
	k.ADDQ(k.bs, k.b)
	k.advance(1)
	k.DECQ(n)
	k.JNZ(LabelRef("one"))
	k.Label("done")
}

// step multiplies column u of A, counted from the current position of a, by row u of B.
func (k *tileKernel) step(u int) {
	b := make([]reg.VecVirtual, k.nv)
	for j := range b {
		b[j] = k.reg(k.Context)
		from := k.rowOfB(u)
		from.Disp = 4 * k.lanes * j
		if k.masked {
			k.VMOVUPS_Z(from, k.mask[j], b[j])
		} else {
			k.VMOVUPS(from, b[j])
		}
	}
	for i := range k.m {
		x := k.reg(k.Context)
		k.VBROADCASTSS(k.elementOfA(i, u), x)
		for j := range b {
			k.VFMADD231PS(b[j], x, k.acc[i][j])
		}
	}
	if k.layout == byCol {
		k.ADDQ(k.as, k.a)
	}
}

func (k *tileKernel) rowOfB(u int) Mem {
	switch u {
	case 1:
		return Mem{Base: k.b, Index: k.bs, Scale: 1}
	case 2:
		return Mem{Base: k.b, Index: k.bs, Scale: 2}
	case 3:
		return Mem{Base: k.b, Index: k.bs3, Scale: 1}
	}
	return Mem{Base: k.b}
}

func (k *tileKernel) elementOfA(i, u int) Mem {
	if k.layout == byCol {
		return Mem{Base: k.a, Disp: 4 * i}
	}
	base := k.a
	if i >= 7 {
		base, i = k.a7, i-7
	}
	m := Mem{Base: base, Disp: 4 * u}
	switch i {
	case 1, 2, 4:
		m.Index, m.Scale = k.as, uint8(i)
	case 3, 6:
		m.Index, m.Scale = k.as3, uint8(i/3)
	case 5:
		m.Index, m.Scale = k.as5, 1
	}
	return m
}

// advance moves a by n steps. With the layout by columns, step has already done so.
func (k *tileKernel) advance(n int) {
	if k.layout == byCol {
		return
	}
	k.ADDQ(U8(4*n), k.a)
	if k.m > 7 {
		k.ADDQ(U8(4*n), k.a7)
	}
}

// advanceE moves to the part of E that is added to the next tile.
func (k *tileKernel) advanceE() {
	step := k.GP64()
	k.MOVQ(k.field(tileEStep), step)
	k.ADDQ(step, k.field(tileE))
}

// advanceB moves to the part of B for the next tile.
func (k *tileKernel) advanceB() {
	step := k.GP64()
	k.MOVQ(k.field(tileBStep), step)
	k.ADDQ(step, k.field(tileB))
}

// store scales the sums, adds E to them if required, and writes them.
func (k *tileKernel) store(cc reg.GPVirtual) {
	k.CMPL(k.field(tileAlpha), U32(math.Float32bits(1)))
	k.JE(LabelRef("scaled"))
	alpha := k.reg(k.Context)
	k.VBROADCASTSS(k.field(tileAlpha), alpha)
	for _, row := range k.acc {
		for _, r := range row {
			k.VMULPS(r, alpha, r)
		}
	}
	k.Label("scaled")
	if k.masked {
		k.storeAll(cc, "", k.maskedLoad, k.maskedStore)
		return
	}
	k.CMPL(k.field(tileBits), I8(-1))
	k.JNE(LabelRef("tail"))
	k.storeAll(cc, "Full",
		func(m Mem, j int, r reg.VecVirtual) { k.VMOVUPS(m, r) },
		func(m Mem, j int, r reg.VecVirtual) { k.VMOVUPS(r, m) })
	k.JMP(LabelRef("stored"))
	k.Label("tail")
	k.storeAll(cc, "Tail", k.maskedLoad, k.maskedStore)
	k.Label("stored")
}

type access func(m Mem, j int, r reg.VecVirtual)

func (k *tileKernel) storeAll(cc reg.GPVirtual, name string, load, store access) {
	k.CMPL(k.field(tileAdd), U8(0))
	k.JE(LabelRef("write" + name))
	e, es := k.GP64(), k.GP64()
	k.MOVQ(k.field(tileE), e)
	k.MOVQ(k.field(tileES), es)
	for i := range k.acc {
		for j, r := range k.acc[i] {
			old := k.reg(k.Context)
			load(Mem{Base: e, Disp: 4 * k.lanes * j}, j, old)
			k.VADDPS(old, r, r)
		}
		if i+1 < k.m {
			k.ADDQ(es, e)
		}
	}
	k.Label("write" + name)
	p, cs := k.GP64(), k.GP64()
	k.MOVQ(cc, p)
	k.MOVQ(k.field(tileCS), cs)
	for i := range k.acc {
		for j, r := range k.acc[i] {
			store(Mem{Base: p, Disp: 4 * k.lanes * j}, j, r)
		}
		if i+1 < k.m {
			k.ADDQ(cs, p)
		}
	}
}

func (k *tileKernel) maskedLoad(m Mem, j int, r reg.VecVirtual) {
	if k.masked {
		k.VMOVUPS_Z(m, k.mask[j], r)
		return
	}
	k.VMASKMOVPS(m, k.laneMask(j), r)
}

func (k *tileKernel) maskedStore(m Mem, j int, r reg.VecVirtual) {
	if k.masked {
		k.VMOVUPS(r, k.mask[j], m)
		return
	}
	k.VMASKMOVPS(r, k.laneMask(j), m)
}

func (k *tileKernel) laneMask(j int) reg.VecVirtual {
	m := k.YMM()
	k.VMOVUPS(k.field(tileLanes+32*j), m)
	return m
}
