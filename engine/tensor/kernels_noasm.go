//go:build !amd64 || purego || f64

package tensor

func gemm(c, a, b View, alpha Elem, u Update) { gemmPortable(c, a, b, alpha, u) }
