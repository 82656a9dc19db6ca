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
	emitTranspose8(c)
}

// emitPack copies rows of a matrix to tiles, with zeros in the lanes that the
// mask leaves out. A row of a tile is stored with all its lanes, so that rows
// closer together than that overwrite the end of their predecessor.
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

// maskedLoader prepares masks from an array of lane masks (all bits of a
// lane set or none) and returns how to load with them.
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

// emitTranspose8 turns 8 rows of 8n columns into 8n rows of 8 columns.
func emitTranspose8(c *build.Context) {
	c.Function("yTranspose8")
	c.Attributes(attr.NOSPLIT)
	c.SignatureExpr("func(dst, src uintptr, dstStride, srcStride, n uintptr)")
	dst, src := c.GP64(), c.Load(c.Param("src"), c.GP64())
	c.Load(c.Param("dst"), dst)
	ds, ss := c.Load(c.Param("dstStride"), c.GP64()), c.Load(c.Param("srcStride"), c.GP64())
	n := c.Load(c.Param("n"), c.GP64())
	ss3, src4 := c.GP64(), c.GP64()
	c.LEAQ(Mem{Base: ss, Index: ss, Scale: 2}, ss3)
	c.LEAQ(Mem{Base: src, Index: ss, Scale: 4}, src4)
	c.Label("block")
	row := func(i int) Mem {
		base := src
		if i >= 4 {
			base, i = src4, i-4
		}
		switch i {
		case 1, 2:
			return Mem{Base: base, Index: ss, Scale: uint8(i)}
		case 3:
			return Mem{Base: base, Index: ss3, Scale: 1}
		}
		return Mem{Base: base}
	}
	for half := range 2 {
		for _, r := range transpose4(c, row, 16*half) {
			c.VMOVUPS(r, Mem{Base: dst})
			c.ADDQ(ds, dst)
		}
	}
	c.ADDQ(U8(32), src)
	c.ADDQ(U8(32), src4)
	c.DECQ(n)
	c.JNZ(LabelRef("block"))
	c.VZEROUPPER()
	c.RET()
}

// transpose4 loads 4 columns of 8 rows, at offset disp of each, and returns
// them as 4 rows of 8.
func transpose4(c *build.Context, row func(int) Mem, disp int) [4]reg.VecVirtual {
	var in [4]reg.VecVirtual // rows i and i+4
	for i := range in {
		in[i] = c.YMM()
		lo, hi := row(i), row(i+4)
		lo.Disp, hi.Disp = disp, disp
		c.VMOVUPS(lo, in[i].AsX())
		c.VINSERTF128(U8(1), hi, in[i], in[i])
	}
	ab, AB, cd, CD := c.YMM(), c.YMM(), c.YMM(), c.YMM()
	c.VUNPCKLPS(in[1], in[0], ab)
	c.VUNPCKHPS(in[1], in[0], AB)
	c.VUNPCKLPS(in[3], in[2], cd)
	c.VUNPCKHPS(in[3], in[2], CD)
	var out [4]reg.VecVirtual
	for i, pair := range [][2]reg.VecVirtual{{ab, cd}, {AB, CD}} {
		out[2*i], out[2*i+1] = c.YMM(), c.YMM()
		c.VUNPCKLPD(pair[1], pair[0], out[2*i])
		c.VUNPCKHPD(pair[1], pair[0], out[2*i+1])
	}
	return out
}
