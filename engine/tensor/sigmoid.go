package tensor

// Sigmoid is the logistic function 1/(1 + e^−x), to an absolute error of
// 1e-7. dst may be x. It panics if the lengths differ.
func Sigmoid(dst, x []Elem) {
	mustMatch("Sigmoid", dst, x)
	machine.sigmoid(dst, x)
}

func sigmoidPortable(dst, x []Elem) {
	for i, v := range x {
		dst[i] = sigmoid(v)
	}
}

// sigmoid takes e to a power ≤ 0 only, so that nothing overflows.
func sigmoid(x Elem) Elem {
	if x >= 0 {
		return 1 / (1 + exp(-x))
	}
	e := exp(x)
	return e / (1 + e)
}
