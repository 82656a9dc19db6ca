package tensor

// SoftmaxRows converts each row of src, which has cols elements, to probabilities: dst = exp(src −
// max) / Σ exp(src − max). A row becomes NaN if it contains NaN or +Inf, or only −Inf. −Inf among
// other numbers becomes exactly 0, as does every number that is smaller than the largest by more
// than 87. dst can be src. It panics if the lengths differ or are not a multiple of cols.
func SoftmaxRows(dst, src []Elem, cols int) {
	mustBeRows("SoftmaxRows", cols, dst, src)
	if len(dst) > 0 {
		machine.softmaxRows(dst, src, cols)
	}
}

// SoftmaxRowsBackward computes the gradient of SoftmaxRows from its result y and the gradient dy
// with respect to y: dx = y∘(dy − Σ y·dy), row by row. dx can be y or dy. It panics under the same
// conditions as SoftmaxRows.
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
