//go:build amd64 && !purego && !f64

package tensor

import "unsafe"

// All kernels accept rows ≥ 1 with cols ≥ 1.

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

func (s isa) layerNormRows(dst, x []Elem, n LayerNorm, eps Elem) {
	switch s {
	case isaAVX512:
		zLayerNormRows(
			unsafe.SliceData(dst), unsafe.SliceData(x), unsafe.SliceData(n.Gamma), unsafe.SliceData(n.Beta),
			unsafe.SliceData(n.Mean), unsafe.SliceData(n.RStd), len(n.Mean), len(n.Gamma), eps)
	case isaAVX2:
		yLayerNormRows(
			unsafe.SliceData(dst), unsafe.SliceData(x), unsafe.SliceData(n.Gamma), unsafe.SliceData(n.Beta),
			unsafe.SliceData(n.Mean), unsafe.SliceData(n.RStd), len(n.Mean), len(n.Gamma), eps)
	default:
		layerNormRowsPortable(dst, x, n, eps)
	}
}

func (s isa) layerNormRowsBackward(dx, x, dy []Elem, n, grad LayerNorm) {
	switch s {
	case isaAVX512:
		zLayerNormRowsBackward(
			unsafe.SliceData(dx), unsafe.SliceData(grad.Gamma), unsafe.SliceData(grad.Beta), unsafe.SliceData(x),
			unsafe.SliceData(n.Gamma), unsafe.SliceData(n.Mean), unsafe.SliceData(n.RStd), unsafe.SliceData(dy),
			len(n.Mean), len(n.Gamma))
	case isaAVX2:
		yLayerNormRowsBackward(
			unsafe.SliceData(dx), unsafe.SliceData(grad.Gamma), unsafe.SliceData(grad.Beta), unsafe.SliceData(x),
			unsafe.SliceData(n.Gamma), unsafe.SliceData(n.Mean), unsafe.SliceData(n.RStd), unsafe.SliceData(dy),
			len(n.Mean), len(n.Gamma))
	default:
		layerNormRowsBackwardPortable(dx, x, dy, n, grad)
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
