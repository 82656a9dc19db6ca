//go:build amd64 && !purego && !f64

package tensor

import "unsafe"

// The kernels take rows ≥ 1 of cols ≥ 1.

func (s isa) softmaxRows(dst, src []Elem, cols int) {
	switch s {
	case isaAVX512:
		zSoftmaxRows(unsafe.SliceData(dst), unsafe.SliceData(src), len(src)/cols, cols)
	case isaAVX2:
		ySoftmaxRows(unsafe.SliceData(dst), unsafe.SliceData(src), len(src)/cols, cols)
	default:
		softmaxRowsPortable(dst, src, cols)
	}
}

func (s isa) softmaxRowsBackward(dx, y, dy []Elem, cols int) {
	switch s {
	case isaAVX512:
		zSoftmaxRowsBackward(unsafe.SliceData(dx), unsafe.SliceData(y), unsafe.SliceData(dy), len(y)/cols, cols)
	case isaAVX2:
		ySoftmaxRowsBackward(unsafe.SliceData(dx), unsafe.SliceData(y), unsafe.SliceData(dy), len(y)/cols, cols)
	default:
		softmaxRowsBackwardPortable(dx, y, dy, cols)
	}
}

func (s isa) layerNormRows(dst, x, gamma, beta, mean, rstd []Elem, eps Elem) {
	switch s {
	case isaAVX512:
		zLayerNormRows(
			unsafe.SliceData(dst), unsafe.SliceData(x), unsafe.SliceData(gamma), unsafe.SliceData(beta),
			unsafe.SliceData(mean), unsafe.SliceData(rstd), len(mean), len(gamma), eps)
	case isaAVX2:
		yLayerNormRows(
			unsafe.SliceData(dst), unsafe.SliceData(x), unsafe.SliceData(gamma), unsafe.SliceData(beta),
			unsafe.SliceData(mean), unsafe.SliceData(rstd), len(mean), len(gamma), eps)
	default:
		layerNormRowsPortable(dst, x, gamma, beta, mean, rstd, eps)
	}
}

func (s isa) layerNormRowsBackward(dx, dgamma, dbeta, x, gamma, mean, rstd, dy []Elem) {
	switch s {
	case isaAVX512:
		zLayerNormRowsBackward(
			unsafe.SliceData(dx), unsafe.SliceData(dgamma), unsafe.SliceData(dbeta), unsafe.SliceData(x),
			unsafe.SliceData(gamma), unsafe.SliceData(mean), unsafe.SliceData(rstd), unsafe.SliceData(dy), len(mean), len(gamma))
	case isaAVX2:
		yLayerNormRowsBackward(
			unsafe.SliceData(dx), unsafe.SliceData(dgamma), unsafe.SliceData(dbeta), unsafe.SliceData(x),
			unsafe.SliceData(gamma), unsafe.SliceData(mean), unsafe.SliceData(rstd), unsafe.SliceData(dy), len(mean), len(gamma))
	default:
		layerNormRowsBackwardPortable(dx, dgamma, dbeta, x, gamma, mean, rstd, dy)
	}
}

//go:noescape
func zSoftmaxRows(dst, src *Elem, rows, cols int)

//go:noescape
func ySoftmaxRows(dst, src *Elem, rows, cols int)

//go:noescape
func zSoftmaxRowsBackward(dx, y, dy *Elem, rows, cols int)

//go:noescape
func ySoftmaxRowsBackward(dx, y, dy *Elem, rows, cols int)

//go:noescape
func zLayerNormRows(dst, x, gamma, beta, mean, rstd *Elem, rows, cols int, eps Elem)

//go:noescape
func yLayerNormRows(dst, x, gamma, beta, mean, rstd *Elem, rows, cols int, eps Elem)

//go:noescape
func zLayerNormRowsBackward(dx, dgamma, dbeta, x, gamma, mean, rstd, dy *Elem, rows, cols int)

//go:noescape
func yLayerNormRowsBackward(dx, dgamma, dbeta, x, gamma, mean, rstd, dy *Elem, rows, cols int)
