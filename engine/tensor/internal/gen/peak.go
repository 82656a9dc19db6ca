package main

import (
	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// peakChains is the number of independent sums that keep all multiply-add units busy.
const peakChains = 12

// emitPeaks emits loops that consist only of multiply-adds. They measure the peak performance of
// the processor.
func emitPeaks(c *build.Context) {
	for _, s := range []isa{avx512, avx2} {
		c.Function(s.name + "Peak")
		c.Attributes(attr.NOSPLIT)
		c.SignatureExpr("func(n uintptr)")
		n := c.Load(c.Param("n"), c.GP64())
		var sums [peakChains]reg.VecVirtual
		for i := range sums {
			sums[i] = s.reg(c)
			c.VXORPS(sums[i].AsX(), sums[i].AsX(), sums[i].AsX())
		}
		x := s.reg(c)
		c.VXORPS(x.AsX(), x.AsX(), x.AsX())
		c.Label("turn")
		for _, sum := range sums {
			c.VFMADD231PS(x, x, sum)
		}
		c.DECQ(n)
		c.JNZ(LabelRef("turn"))
		c.VZEROUPPER()
		c.RET()
	}
}
