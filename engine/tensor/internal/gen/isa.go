package main

import (
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/reg"
)

// isa describes a vector instruction set, as far as the kernels depend on it. The kernels are
// written once for all sets.
type isa struct {
	name   string // prefix of function names
	lanes  int    // float32 lanes of a register
	tileM  int    // largest number of rows of a micro-kernel
	masked bool   // has mask registers
}

var (
	avx512 = isa{name: "z", lanes: 16, tileM: 12, masked: true}
	avx2   = isa{name: "y", lanes: 8, tileM: 6}
)

func (s isa) reg(c *build.Context) reg.VecVirtual {
	if s.masked {
		return c.ZMM()
	}
	return c.YMM()
}
