//go:build amd64 && !purego && !f64

package tensor

import "unsafe"

// All kernels accept n ≥ 0 elements.

func (s isa) relu(dst, x []Elem) {
	switch s {
	case isaAVX512:
		zReLU(unsafe.SliceData(dst), unsafe.SliceData(x), len(dst))
	case isaAVX2:
		yReLU(unsafe.SliceData(dst), unsafe.SliceData(x), len(dst))
	default:
		reluPortable(dst, x)
	}
}

func (s isa) reluBackward(dx, x, dy []Elem) {
	switch s {
	case isaAVX512:
		zReLUBackward(unsafe.SliceData(dx), unsafe.SliceData(x), unsafe.SliceData(dy), len(dx))
	case isaAVX2:
		yReLUBackward(unsafe.SliceData(dx), unsafe.SliceData(x), unsafe.SliceData(dy), len(dx))
	default:
		reluBackwardPortable(dx, x, dy)
	}
}

func (s isa) gelu(dst, x []Elem) {
	switch s {
	case isaAVX512:
		zGELU(unsafe.SliceData(dst), unsafe.SliceData(x), len(dst))
	case isaAVX2:
		yGELU(unsafe.SliceData(dst), unsafe.SliceData(x), len(dst))
	default:
		geluPortable(dst, x)
	}
}

func (s isa) geluBackward(dx, x, dy []Elem) {
	switch s {
	case isaAVX512:
		zGELUBackward(unsafe.SliceData(dx), unsafe.SliceData(x), unsafe.SliceData(dy), len(dx))
	case isaAVX2:
		yGELUBackward(unsafe.SliceData(dx), unsafe.SliceData(x), unsafe.SliceData(dy), len(dx))
	default:
		geluBackwardPortable(dx, x, dy)
	}
}

func (s isa) geluTanh(dst, x []Elem) {
	switch s {
	case isaAVX512:
		zGELUTanh(unsafe.SliceData(dst), unsafe.SliceData(x), len(dst))
	case isaAVX2:
		yGELUTanh(unsafe.SliceData(dst), unsafe.SliceData(x), len(dst))
	default:
		geluTanhPortable(dst, x)
	}
}

func (s isa) geluTanhBackward(dx, x, dy []Elem) {
	switch s {
	case isaAVX512:
		zGELUTanhBackward(unsafe.SliceData(dx), unsafe.SliceData(x), unsafe.SliceData(dy), len(dx))
	case isaAVX2:
		yGELUTanhBackward(unsafe.SliceData(dx), unsafe.SliceData(x), unsafe.SliceData(dy), len(dx))
	default:
		geluTanhBackwardPortable(dx, x, dy)
	}
}

func (s isa) adamW(p, m, v, g []Elem, f adamFactors) {
	switch s {
	case isaAVX512:
		zAdamW(unsafe.SliceData(p), unsafe.SliceData(m), unsafe.SliceData(v), unsafe.SliceData(g), len(p), &f)
	case isaAVX2:
		yAdamW(unsafe.SliceData(p), unsafe.SliceData(m), unsafe.SliceData(v), unsafe.SliceData(g), len(p), &f)
	default:
		adamWPortable(p, m, v, g, f)
	}
}

//go:noescape
func zReLU(dst, x *Elem, n int)

//go:noescape
func yReLU(dst, x *Elem, n int)

//go:noescape
func zReLUBackward(dx, x, dy *Elem, n int)

//go:noescape
func yReLUBackward(dx, x, dy *Elem, n int)

//go:noescape
func zGELU(dst, x *Elem, n int)

//go:noescape
func yGELU(dst, x *Elem, n int)

//go:noescape
func zGELUBackward(dx, x, dy *Elem, n int)

//go:noescape
func yGELUBackward(dx, x, dy *Elem, n int)

//go:noescape
func zGELUTanh(dst, x *Elem, n int)

//go:noescape
func yGELUTanh(dst, x *Elem, n int)

//go:noescape
func zGELUTanhBackward(dx, x, dy *Elem, n int)

//go:noescape
func yGELUTanhBackward(dx, x, dy *Elem, n int)

//go:noescape
func zAdamW(p, m, v, grad *Elem, n int, factors *adamFactors)

//go:noescape
func yAdamW(p, m, v, grad *Elem, n int, factors *adamFactors)
