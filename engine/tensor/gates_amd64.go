//go:build amd64 && !purego && !f64

package tensor

import "unsafe"

// All kernels accept n ≥ 0 elements, or rows ≥ 1 with cols ≥ 1.

func (s isa) sigmoidRows(dst, x, row []Elem) {
	switch s {
	case isaAVX512:
		zSigmoidRows(unsafe.SliceData(dst), unsafe.SliceData(x), unsafe.SliceData(row), len(x)/len(row), len(row))
	case isaAVX2:
		ySigmoidRows(unsafe.SliceData(dst), unsafe.SliceData(x), unsafe.SliceData(row), len(x)/len(row), len(row))
	default:
		sigmoidRowsPortable(dst, x, row)
	}
}

func (s isa) tanhRows(dst, x, row []Elem) {
	switch s {
	case isaAVX512:
		zTanhRows(unsafe.SliceData(dst), unsafe.SliceData(x), unsafe.SliceData(row), len(x)/len(row), len(row))
	case isaAVX2:
		yTanhRows(unsafe.SliceData(dst), unsafe.SliceData(x), unsafe.SliceData(row), len(x)/len(row), len(row))
	default:
		tanhRowsPortable(dst, x, row)
	}
}

func (s isa) gate(dst, g, a, b []Elem) {
	switch s {
	case isaAVX512:
		zGate(unsafe.SliceData(dst), unsafe.SliceData(g), unsafe.SliceData(a), unsafe.SliceData(b), len(dst))
	case isaAVX2:
		yGate(unsafe.SliceData(dst), unsafe.SliceData(g), unsafe.SliceData(a), unsafe.SliceData(b), len(dst))
	default:
		gatePortable(dst, g, a, b)
	}
}

func (s isa) gateBackward(d Gated, dy []Elem, x Gated) {
	switch s {
	case isaAVX512:
		zGateBackward(unsafe.SliceData(d.G), unsafe.SliceData(d.A), unsafe.SliceData(d.B), unsafe.SliceData(dy),
			unsafe.SliceData(x.G), unsafe.SliceData(x.A), unsafe.SliceData(x.B), len(dy))
	case isaAVX2:
		yGateBackward(unsafe.SliceData(d.G), unsafe.SliceData(d.A), unsafe.SliceData(d.B), unsafe.SliceData(dy),
			unsafe.SliceData(x.G), unsafe.SliceData(x.A), unsafe.SliceData(x.B), len(dy))
	default:
		gateBackwardPortable(d, dy, x)
	}
}

func (s isa) resetBackward(dr, dx, dq, r, x []Elem) {
	switch s {
	case isaAVX512:
		zResetBackward(unsafe.SliceData(dr), unsafe.SliceData(dx), unsafe.SliceData(dq), unsafe.SliceData(r),
			unsafe.SliceData(x), len(dr))
	case isaAVX2:
		yResetBackward(unsafe.SliceData(dr), unsafe.SliceData(dx), unsafe.SliceData(dq), unsafe.SliceData(r),
			unsafe.SliceData(x), len(dr))
	default:
		resetBackwardPortable(dr, dx, dq, r, x)
	}
}

func (s isa) quickGELU(dst, x []Elem) {
	switch s {
	case isaAVX512:
		zQuickGELU(unsafe.SliceData(dst), unsafe.SliceData(x), len(dst))
	case isaAVX2:
		yQuickGELU(unsafe.SliceData(dst), unsafe.SliceData(x), len(dst))
	default:
		quickGELUPortable(dst, x)
	}
}

func (s isa) quickGELUBackward(dx, y, x, dy []Elem) {
	switch s {
	case isaAVX512:
		zQuickGELUBackward(unsafe.SliceData(dx), unsafe.SliceData(y), unsafe.SliceData(x), unsafe.SliceData(dy), len(dx))
	case isaAVX2:
		yQuickGELUBackward(unsafe.SliceData(dx), unsafe.SliceData(y), unsafe.SliceData(x), unsafe.SliceData(dy), len(dx))
	default:
		quickGELUBackwardPortable(dx, y, x, dy)
	}
}

func (s isa) combineRows(dst []Elem, x, y Scaled, row []Elem) {
	switch s {
	case isaAVX512:
		zCombineRows(unsafe.SliceData(dst), unsafe.SliceData(x.X), unsafe.SliceData(x.By), unsafe.SliceData(y.X),
			unsafe.SliceData(y.By), unsafe.SliceData(row), len(dst)/len(row), len(row))
	case isaAVX2:
		yCombineRows(unsafe.SliceData(dst), unsafe.SliceData(x.X), unsafe.SliceData(x.By), unsafe.SliceData(y.X),
			unsafe.SliceData(y.By), unsafe.SliceData(row), len(dst)/len(row), len(row))
	default:
		combineRowsPortable(dst, x, y, row)
	}
}

//go:noescape
func zSigmoidRows(dst, x, row *Elem, rows, cols int)

//go:noescape
func ySigmoidRows(dst, x, row *Elem, rows, cols int)

//go:noescape
func zTanhRows(dst, x, row *Elem, rows, cols int)

//go:noescape
func yTanhRows(dst, x, row *Elem, rows, cols int)

//go:noescape
func zGate(dst, gate, a, b *Elem, n int)

//go:noescape
func yGate(dst, gate, a, b *Elem, n int)

//go:noescape
func zGateBackward(dg, da, db, dy, gate, a, b *Elem, n int)

//go:noescape
func yGateBackward(dg, da, db, dy, gate, a, b *Elem, n int)

//go:noescape
func zResetBackward(dr, dx, dq, r, x *Elem, n int)

//go:noescape
func yResetBackward(dr, dx, dq, r, x *Elem, n int)

//go:noescape
func zQuickGELU(dst, x *Elem, n int)

//go:noescape
func yQuickGELU(dst, x *Elem, n int)

//go:noescape
func zQuickGELUBackward(dx, y, x, dy *Elem, n int)

//go:noescape
func yQuickGELUBackward(dx, y, x, dy *Elem, n int)

//go:noescape
func zCombineRows(dst, x, p, y, q, row *Elem, rows, cols int)

//go:noescape
func yCombineRows(dst, x, p, y, q, row *Elem, rows, cols int)
