//go:build amd64 && !purego && !f64

package tensor

import "unsafe"

// All kernels accept n ≥ 0 elements, or rows ≥ 1 with cols ≥ 1.

func (s isa) add(dst, a, b []Elem) {
	switch s {
	case isaAVX512:
		zAdd(unsafe.SliceData(dst), unsafe.SliceData(a), unsafe.SliceData(b), len(dst))
	case isaAVX2:
		yAdd(unsafe.SliceData(dst), unsafe.SliceData(a), unsafe.SliceData(b), len(dst))
	default:
		addPortable(dst, a, b)
	}
}

func (s isa) mul(dst, a, b []Elem) {
	switch s {
	case isaAVX512:
		zMul(unsafe.SliceData(dst), unsafe.SliceData(a), unsafe.SliceData(b), len(dst))
	case isaAVX2:
		yMul(unsafe.SliceData(dst), unsafe.SliceData(a), unsafe.SliceData(b), len(dst))
	default:
		mulPortable(dst, a, b)
	}
}

func (s isa) axpy(dst []Elem, alpha Elem, x []Elem) {
	switch s {
	case isaAVX512:
		zAxpy(unsafe.SliceData(dst), unsafe.SliceData(x), len(x), alpha)
	case isaAVX2:
		yAxpy(unsafe.SliceData(dst), unsafe.SliceData(x), len(x), alpha)
	default:
		axpyPortable(dst, alpha, x)
	}
}

func (s isa) scale(dst []Elem, alpha Elem, x []Elem) {
	switch s {
	case isaAVX512:
		zScale(unsafe.SliceData(dst), unsafe.SliceData(x), len(x), alpha)
	case isaAVX2:
		yScale(unsafe.SliceData(dst), unsafe.SliceData(x), len(x), alpha)
	default:
		scalePortable(dst, alpha, x)
	}
}

func (s isa) addRow(dst, x, row []Elem) {
	switch s {
	case isaAVX512:
		zAddRow(unsafe.SliceData(dst), unsafe.SliceData(x), unsafe.SliceData(row), len(x)/len(row), len(row))
	case isaAVX2:
		yAddRow(unsafe.SliceData(dst), unsafe.SliceData(x), unsafe.SliceData(row), len(x)/len(row), len(row))
	default:
		addRowPortable(dst, x, row)
	}
}

func (s isa) mulRows(dst, x, row []Elem) {
	switch s {
	case isaAVX512:
		zMulRows(unsafe.SliceData(dst), unsafe.SliceData(x), unsafe.SliceData(row), len(x)/len(row), len(row))
	case isaAVX2:
		yMulRows(unsafe.SliceData(dst), unsafe.SliceData(x), unsafe.SliceData(row), len(x)/len(row), len(row))
	default:
		mulRowsPortable(dst, x, row)
	}
}

func (s isa) sumRows(dst, x []Elem) {
	switch s {
	case isaAVX512:
		zSumRows(unsafe.SliceData(dst), unsafe.SliceData(x), len(x)/len(dst), len(dst))
	case isaAVX2:
		ySumRows(unsafe.SliceData(dst), unsafe.SliceData(x), len(x)/len(dst), len(dst))
	default:
		sumRowsPortable(dst, x)
	}
}

func (s isa) mulSumRows(dst, a, b []Elem) {
	switch s {
	case isaAVX512:
		zMulSumRows(unsafe.SliceData(dst), unsafe.SliceData(a), unsafe.SliceData(b), len(a)/len(dst), len(dst))
	case isaAVX2:
		yMulSumRows(unsafe.SliceData(dst), unsafe.SliceData(a), unsafe.SliceData(b), len(a)/len(dst), len(dst))
	default:
		mulSumRowsPortable(dst, a, b)
	}
}

func (s isa) dot(a, b []Elem) Elem {
	switch s {
	case isaAVX512:
		return zDot(unsafe.SliceData(a), unsafe.SliceData(b), len(a))
	case isaAVX2:
		return yDot(unsafe.SliceData(a), unsafe.SliceData(b), len(a))
	}
	return dotPortable(a, b)
}

//go:noescape
func zAdd(dst, a, b *Elem, n int)

//go:noescape
func yAdd(dst, a, b *Elem, n int)

//go:noescape
func zMul(dst, a, b *Elem, n int)

//go:noescape
func yMul(dst, a, b *Elem, n int)

//go:noescape
func zAxpy(dst, x *Elem, n int, alpha Elem)

//go:noescape
func yAxpy(dst, x *Elem, n int, alpha Elem)

//go:noescape
func zScale(dst, x *Elem, n int, alpha Elem)

//go:noescape
func yScale(dst, x *Elem, n int, alpha Elem)

//go:noescape
func zAddRow(dst, x, row *Elem, rows, cols int)

//go:noescape
func yAddRow(dst, x, row *Elem, rows, cols int)

//go:noescape
func zMulRows(dst, x, row *Elem, rows, cols int)

//go:noescape
func yMulRows(dst, x, row *Elem, rows, cols int)

//go:noescape
func zSumRows(dst, x *Elem, rows, cols int)

//go:noescape
func ySumRows(dst, x *Elem, rows, cols int)

//go:noescape
func zMulSumRows(dst, a, b *Elem, rows, cols int)

//go:noescape
func yMulSumRows(dst, a, b *Elem, rows, cols int)

//go:noescape
func zDot(a, b *Elem, n int) Elem

//go:noescape
func yDot(a, b *Elem, n int) Elem
