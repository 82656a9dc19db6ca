package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

func emitPacks(c *build.Context) {
	for _, s := range []isa{avx512, avx2} {
		for nv := 1; nv <= 2; nv++ {
			emitPack(c, s, nv)
		}
	}
	emitFamily(emitTranspose)(c)
}

// emitPack copies rows of a matrix to tiles, with zeros in the lanes that the mask leaves out. All
// lanes of a tile's row are stored, so rows that are closer together overwrite the end of the row
// before them.
func emitPack(c *build.Context, s isa, nv int) {
	c.Function(fmt.Sprintf("%sPack%d", s.name, nv*s.lanes))
	c.Attributes(attr.NOSPLIT)
	c.SignatureExpr("func(dst, src, stride, tile, srcStride, width, rows, tiles, lanes uintptr)")
	param := func(name string) reg.Register { return c.Load(c.Param(name), c.GP64()) }
	dst, src, stride, tile := param("dst"), param("src"), param("stride"), param("tile")
	srcStride, width, rows, tiles := param("srcStride"), param("width"), param("rows"), param("tiles")
	load := maskedLoader(c, s, nv, param("lanes"))
	to, from, n := c.GP64(), c.GP64(), c.GP64()
	ahead := c.GP64()
	c.MOVQ(srcStride, ahead)
	c.SHLQ(U8(3), ahead)
	c.Label("row")
	c.MOVQ(dst, to)
	c.MOVQ(src, from)
	c.MOVQ(tiles, n)
	c.Label("tile")
	for j := range nv {
		r := s.reg(c)
		load(Mem{Base: from, Disp: 4 * s.lanes * j}, j, r)
		c.VMOVUPS(r, Mem{Base: to, Disp: 4 * s.lanes * j})
	}
	for last := 0; last < nv*s.lanes; last += 16 {
		c.PREFETCHT0(Mem{Base: from, Index: ahead, Scale: 1, Disp: 4 * last})
	}
	c.ADDQ(width, from)
	c.ADDQ(tile, to)
	c.DECQ(n)
	c.JNZ(LabelRef("tile"))
	c.ADDQ(srcStride, src)
	c.ADDQ(stride, dst)
	c.DECQ(rows)
	c.JNZ(LabelRef("row"))
	c.VZEROUPPER()
	c.RET()
}

// maskedLoader prepares masks from an array of lane masks (all bits of a lane set, or none). It
// returns a function that loads with these masks.
func maskedLoader(c *build.Context, s isa, nv int, lanes reg.Register) access {
	var masks []reg.Register
	for j := range nv {
		r := s.reg(c)
		c.VMOVUPS(Mem{Base: lanes, Disp: 4 * s.lanes * j}, r)
		if !s.masked {
			masks = append(masks, r)
			continue
		}
		m := c.K()
		c.VPMOVD2M(r, m)
		masks = append(masks, m)
	}
	return func(m Mem, j int, r reg.VecVirtual) {
		if s.masked {
			c.VMOVUPS_Z(m, masks[j], r)
		} else {
			c.VMASKMOVPS(m, masks[j], r)
		}
	}
}

// transposer emits the transposition of as many rows as a register has lanes, 4 columns at a time.
type transposer struct {
	*vec
	base    []reg.GPVirtual // addresses of rows 0, 4, …
	ss, ss3 reg.GPVirtual   // distance between rows, and three times that
}

// emitTranspose turns as many rows of 4n columns as a register has lanes into 4n rows with that
// number of columns.
func emitTranspose(k *vec) {
	k.begin("Transpose", "func(dst, src, dstStride, srcStride, n uintptr)")
	t := &transposer{vec: k, base: []reg.GPVirtual{k.param("src")}}
	dst, ds, n := k.param("dst"), k.param("dstStride"), k.param("n")
	t.ss, t.ss3 = k.param("srcStride"), k.GP64()
	k.LEAQ(Mem{Base: t.ss, Index: t.ss, Scale: 2}, t.ss3)
	for len(t.base) < k.lanes/4 {
		next := k.GP64()
		k.LEAQ(Mem{Base: t.base[len(t.base)-1], Index: t.ss, Scale: 4}, next)
		t.base = append(t.base, next)
	}
	k.Label("block")
	for _, r := range t.four() {
		k.VMOVUPS(r, Mem{Base: dst})
		k.ADDQ(ds, dst)
	}
	for _, b := range t.base {
		k.ADDQ(U8(16), b)
	}
	k.DECQ(n)
	k.JNZ(LabelRef("block"))
	k.end()
}

func (t *transposer) row(i int) Mem {
	m := Mem{Base: t.base[i/4]}
	switch i % 4 {
	case 1, 2:
		m.Index, m.Scale = t.ss, uint8(i%4)
	case 3:
		m.Index, m.Scale = t.ss3, 1
	}
	return m
}

// gather loads 4 columns of rows i, i+4, … into the quarters of a register.
func (t *transposer) gather(i int) V {
	r := t.new()
	t.VMOVUPS(t.row(i), r.AsX())
	for part := range t.base[1:] {
		if t.masked {
			t.VINSERTF32X4(U8(part+1), t.row(4*part+4+i), r, r)
		} else {
			t.VINSERTF128(U8(part+1), t.row(4*part+4+i), r, r)
		}
	}
	return r
}

// four returns 4 columns as rows.
func (t *transposer) four() (out [4]V) {
	var in [4]V
	for i := range in {
		in[i] = t.gather(i)
	}
	pair := func(unpack func(...Op), x, y V) V { r := t.new(); unpack(y, x, r); return r }
	ab, cd := pair(t.VUNPCKLPS, in[0], in[1]), pair(t.VUNPCKLPS, in[2], in[3])
	out[0], out[1] = pair(t.VUNPCKLPD, ab, cd), pair(t.VUNPCKHPD, ab, cd)
	ab, cd = pair(t.VUNPCKHPS, in[0], in[1]), pair(t.VUNPCKHPS, in[2], in[3])
	out[2], out[3] = pair(t.VUNPCKLPD, ab, cd), pair(t.VUNPCKHPD, ab, cd)
	return out
}
