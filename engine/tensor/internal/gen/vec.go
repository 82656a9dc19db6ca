package main

import (
	"fmt"
	"math"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// family emits the kernels of one file, each for both instruction sets.
type family struct {
	*build.Context
	data map[string]Mem // static data of the file
}

// emitFamily returns an emitter that calls each kernel for each set.
func emitFamily(kernels ...func(*vec)) func(*build.Context) {
	return func(c *build.Context) {
		f := &family{c, map[string]Mem{}}
		for _, s := range []isa{avx512, avx2} {
			for _, kernel := range kernels {
				kernel(&vec{family: f, isa: s})
			}
		}
	}
}

// vec emits one kernel. Methods that return a register write to a new one.
type vec struct {
	*family
	isa
	labels int
}

type V = reg.VecVirtual

// begin starts the function with the given name, without its prefix. Its parameters are pointers
// and numbers of 8 bytes, then float32.
func (k *vec) begin(name, signature string) {
	k.Function(k.isa.name + name)
	k.Attributes(attr.NOSPLIT)
	k.SignatureExpr(signature)
}

func (k *vec) end() {
	k.VZEROUPPER()
	k.RET()
}

func (k *vec) param(name string) reg.GPVirtual {
	r := k.GP64()
	k.Load(k.Param(name), r)
	return r
}

// scalar broadcasts a float32 parameter.
func (k *vec) scalar(name string) V {
	b, err := k.Param(name).Resolve()
	if err != nil {
		panic(err)
	}
	r := k.new()
	k.VBROADCASTSS(b.Addr, r)
	return r
}

func (k *vec) new() V { return k.isa.reg(k.Context) }

func (k *vec) label(name string) string {
	k.labels++
	return fmt.Sprintf("%s%d", name, k.labels)
}

// static returns the data of the given name, 32-bit words.
func (k *vec) static(name string, words ...uint32) Mem {
	m, ok := k.data[name]
	if !ok {
		m = k.StaticGlobal(name)
		k.DataAttributes(attr.RODATA | attr.NOPTR)
		for i, w := range words {
			k.AddDatum(4*i, U32(w))
		}
		k.data[name] = m
	}
	return m
}

// bits returns a 32-bit constant in all lanes. If there are enough registers, the constant is kept
// in one, so bits must be called before the loop that uses it.
func (k *vec) bits(w uint32) Op {
	m := k.words(w)
	if !k.masked {
		return m
	}
	r := k.new()
	k.VBROADCASTSS(m, r)
	return r
}

// words returns a 32-bit constant in memory, repeated in as many lanes as AVX2 has.
func (k *vec) words(w uint32) Mem {
	words := make([]uint32, 8)
	for i := range words {
		words[i] = w
	}
	return k.static(fmt.Sprintf("c%08x", w), words...)
}

func (k *vec) constant(x float32) Op { return k.bits(math.Float32bits(x)) }

func (k *vec) constants(xs ...float32) []Op {
	var ops []Op
	for _, x := range xs {
		ops = append(ops, k.constant(x))
	}
	return ops
}

func (k *vec) zero() V {
	r := k.new()
	k.VXORPS(r.AsX(), r.AsX(), r.AsX())
	return r
}

func (k *vec) copy(x Op) V {
	r := k.new()
	k.VMOVUPS(x, r)
	return r
}

// The second operand of these methods can be in memory.

func (k *vec) add(x V, y Op) V { r := k.new(); k.VADDPS(y, x, r); return r }
func (k *vec) sub(x V, y Op) V { r := k.new(); k.VSUBPS(y, x, r); return r }
func (k *vec) mul(x V, y Op) V { r := k.new(); k.VMULPS(y, x, r); return r }
func (k *vec) div(x V, y Op) V { r := k.new(); k.VDIVPS(y, x, r); return r }
func (k *vec) and(x V, y Op) V { r := k.new(); k.VANDPS(y, x, r); return r }
func (k *vec) or(x V, y Op) V  { r := k.new(); k.VORPS(y, x, r); return r }

// max returns the larger one, or y if either is NaN. The same holds for min.
func (k *vec) max(x V, y Op) V { r := k.new(); k.VMAXPS(y, x, r); return r }
func (k *vec) min(x V, y Op) V { r := k.new(); k.VMINPS(y, x, r); return r }

// addProduct computes sum += x·y in place, and subProduct sum −= x·y.
func (k *vec) addProduct(sum, x V, y Op) { k.VFMADD231PS(y, x, sum) }
func (k *vec) subProduct(sum, x V, y Op) { k.VFNMADD231PS(y, x, sum) }

// horner returns the polynomial in x with these coefficients, highest power first.
func (k *vec) horner(x V, coefficients []Op) V {
	p := k.copy(coefficients[0])
	for _, c := range coefficients[1:] {
		k.VFMADD213PS(c, x, p)
	}
	return p
}

// reciprocal returns 1/x, from an estimate and a Newton step, within 2 units in the last place for
// 1 ≤ x < 1e30.
func (k *vec) reciprocal(x V, one Op) V {
	t := k.new()
	if k.masked {
		k.VRCP14PS(x, t)
	} else {
		k.VRCPPS(x, t)
	}
	rest := k.copy(one)
	k.subProduct(rest, x, t)
	r := k.copy(t)
	k.addProduct(r, t, rest)
	return r
}

// across combines all lanes of x, with an instruction such as VADDPS, into all lanes of the result.
func (k *vec) across(x V, combine func(...Op)) V {
	half := x
	if k.masked {
		high := k.YMM()
		half = k.YMM()
		k.VEXTRACTF64X4(U8(1), x, high)
		combine(high, x.AsY(), half)
	}
	high, low := k.XMM(), k.XMM()
	k.VEXTRACTF128(U8(1), half, high)
	combine(high, half.AsX(), low)
	for _, order := range []uint8{0b01_00_11_10, 0b10_11_00_01} {
		turned := k.XMM()
		k.VPERMILPS(U8(order), low, turned)
		combine(turned, low, low)
	}
	r := k.new()
	k.VBROADCASTSS(low, r)
	return r
}
