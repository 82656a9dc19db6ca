package tensor

// SoftmaxRows turns each row of src, cols long, into probabilities: dst =
// exp(src − max) / Σ exp(src − max). A row that holds NaN or +Inf, or nothing
// but −Inf, becomes NaN; −Inf among other numbers becomes exactly 0, and so
// does what is smaller than the largest by more than 87. dst may be src.
// It panics if the lengths differ or are not a multiple of cols.
func SoftmaxRows(dst, src []Elem, cols int) {
	mustBeRows("SoftmaxRows", cols, dst, src)
	if len(dst) > 0 {
		machine.softmaxRows(dst, src, cols)
	}
}

// SoftmaxRowsBackward is the gradient of SoftmaxRows, from its result y and
// the gradient dy with respect to that: dx = y∘(dy − Σ y·dy), row by row. dx
// may be y or dy. It panics as SoftmaxRows does.
func SoftmaxRowsBackward(dx, y, dy []Elem, cols int) {
	mustBeRows("SoftmaxRowsBackward", cols, dx, y, dy)
	if len(dx) > 0 {
		machine.softmaxRowsBackward(dx, y, dy, cols)
	}
}

func softmaxRowsPortable(dst, src []Elem, cols int) {
	for ; len(src) > 0; dst, src = dst[cols:], src[cols:] {
		softmaxRow(dst[:cols], src[:cols])
	}
}

func softmaxRow(dst, src []Elem) {
	largest := src[0]
	for _, x := range src {
		if x > largest {
			largest = x
		}
	}
	var sum Elem
	for i, x := range src {
		e := exp(x - largest)
		dst[i] = e
		sum += e
	}
	inverse := 1 / sum
	for i := range dst {
		dst[i] *= inverse
	}
}

func softmaxRowsBackwardPortable(dx, y, dy []Elem, cols int) {
	for i := 0; i < len(y); i += cols {
		row, grad, out := y[i:i+cols], dy[i:i+cols], dx[i:i+cols]
		mean := dotPortable(row, grad)
		for j, p := range row {
			out[j] = p * (grad[j] - mean)
		}
	}
}
