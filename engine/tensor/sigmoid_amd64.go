//go:build amd64 && !purego && !f64

package tensor

import "unsafe"

func (s isa) sigmoid(dst, x []Elem) {
	switch s {
	case isaAVX512:
		zSigmoid(unsafe.SliceData(dst), unsafe.SliceData(x), len(dst))
	case isaAVX2:
		ySigmoid(unsafe.SliceData(dst), unsafe.SliceData(x), len(dst))
	default:
		sigmoidPortable(dst, x)
	}
}

//go:noescape
func zSigmoid(dst, x *Elem, n int)

//go:noescape
func ySigmoid(dst, x *Elem, n int)
