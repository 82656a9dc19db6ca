package tensor

// ReLU is the rectified linear unit max(x, 0); NaN stays NaN, -0 becomes 0.
// dst may be x. It panics if the lengths differ.
func ReLU(dst, x []Elem) {
	mustMatch("ReLU", dst, x)
	machine.relu(dst, x)
}

// ReLUBackward is the gradient of ReLU: dx is dy where x > 0, and 0 elsewhere,
// also where x is NaN. dx may be x or dy. It panics if the lengths differ.
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
