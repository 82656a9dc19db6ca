package tensor

// Sigmoid writes the logistic function 1/(1 + e^−x) to dst, which can be x. The absolute error is
// at most 1e-7. It panics if the lengths differ.
func Sigmoid(dst, x []Elem) {
	mustMatch("Sigmoid", dst, x)
	machine.sigmoid(dst, x)
}

func sigmoidPortable(dst, x []Elem) {
	for i, v := range x {
		dst[i] = sigmoid(v)
	}
}

// sigmoid computes powers of e only for exponents ≤ 0, so that nothing overflows.
func sigmoid(x Elem) Elem {
	if x >= 0 {
		return 1 / (1 + exp(-x))
	}
	e := exp(x)
	return e / (1 + e)
}
