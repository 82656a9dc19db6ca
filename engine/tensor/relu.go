package tensor

// ReLU writes the rectified linear unit max(x, 0) to dst, which can be x. NaN stays NaN, and -0
// becomes 0. It panics if the lengths differ.
func ReLU(dst, x []Elem) {
	mustMatch("ReLU", dst, x)
	machine.relu(dst, x)
}

// ReLUBackward writes the gradient of ReLU: dx is dy for x > 0, and 0 otherwise, including for NaN.
// dx can be x or dy. It panics if the lengths differ.
func ReLUBackward(dx, x, dy []Elem) {
	mustMatch("ReLUBackward", dx, x, dy)
	machine.reluBackward(dx, x, dy)
}

func reluPortable(dst, x []Elem) {
	for i, v := range x {
		dst[i] = max(v, 0)
	}
}

func reluBackwardPortable(dx, x, dy []Elem) {
	for i, v := range x {
		var d Elem
		if v > 0 {
			d = dy[i]
		}
		dx[i] = d
	}
}
