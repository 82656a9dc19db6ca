package tensor

import "fmt"

// Add writes a + b to dst, which can be a or b. It panics if the lengths differ.
func Add(dst, a, b []Elem) {
	mustMatch("Add", dst, a, b)
	machine.add(dst, a, b)
}

// Mul writes the elementwise product a∘b to dst, which can be a or b. It panics if the lengths
// differ.
func Mul(dst, a, b []Elem) {
	mustMatch("Mul", dst, a, b)
	machine.mul(dst, a, b)
}

// Axpy adds α·x to dst. dst can be x. It panics if the lengths differ.
func Axpy(dst []Elem, alpha Elem, x []Elem) {
	mustMatch("Axpy", dst, x)
	machine.axpy(dst, alpha, x)
}

// Scale writes α·x to dst, which can be x. It panics if the lengths differ.
func Scale(dst []Elem, alpha Elem, x []Elem) {
	mustMatch("Scale", dst, x)
	machine.scale(dst, alpha, x)
}

// AddRow writes x + row for each row of x, for example to add a bias: dst, x [R,C], row [C]. dst
// can be x, but must not overlap row. It panics if the lengths differ or are not a multiple of
// len(row).
func AddRow(dst, x, row []Elem) {
	mustBeRows("AddRow", len(row), dst, x)
	if len(x) > 0 {
		machine.addRow(dst, x, row)
	}
}

// MulRows writes x∘row for each row of x, element by element: dst, x [R,C], row [C]. dst can be x,
// but must not overlap row. It panics if the lengths differ or are not a multiple of len(row).
func MulRows(dst, x, row []Elem) {
	mustBeRows("MulRows", len(row), dst, x)
	if len(x) > 0 {
		machine.mulRows(dst, x, row)
	}
}

// SumRows adds the sum of all rows of x, each with cols elements, to dst [cols]. It computes the
// gradient of a bias. It panics if len(dst) is not cols, or if len(x) is not a multiple of cols.
func SumRows(dst, x []Elem, cols int) {
	mustBeRows("SumRows", cols, x)
	mustBeRow("SumRows", cols, dst)
	if len(x) > 0 {
		machine.sumRows(dst, x)
	}
}

// MulSumRows adds the sum of all rows of a∘b, each with cols elements, to dst [cols]. It computes
// the gradient of the row in MulRows. dst must not overlap a or b. It panics if len(dst) is not
// cols, or if the lengths of a and b differ or are not a multiple of cols.
func MulSumRows(dst, a, b []Elem, cols int) {
	mustBeRows("MulSumRows", cols, a, b)
	mustBeRow("MulSumRows", cols, dst)
	if len(a) > 0 {
		machine.mulSumRows(dst, a, b)
	}
}

// Dot returns Σ a·b. It panics if the lengths differ.
func Dot(a, b []Elem) Elem {
	mustMatch("Dot", a, b)
	return machine.dot(a, b)
}

// mustMatch panics unless all slices have the same length.
func mustMatch(op string, first []Elem, rest ...[]Elem) {
	for _, s := range rest {
		if len(s) != len(first) {
			panic(ShapeError{op, fmt.Sprintf("%d elements", len(first)), fmt.Sprint(len(s))})
		}
	}
}

// mustBeRows panics unless all slices have the same number of whole rows.
func mustBeRows(op string, cols int, first []Elem, rest ...[]Elem) {
	mustMatch(op, first, rest...)
	if cols < 0 || (cols == 0 && len(first) > 0) || (cols > 0 && len(first)%cols != 0) {
		panic(ShapeError{op, fmt.Sprintf("rows of %d", cols), fmt.Sprintf("%d elements", len(first))})
	}
}

// mustBeRow panics unless dst is one row.
func mustBeRow(op string, cols int, dst []Elem) {
	if len(dst) != cols {
		panic(ShapeError{op, fmt.Sprintf("dst [%d]", cols), fmt.Sprintf("[%d]", len(dst))})
	}
}

func addPortable(dst, a, b []Elem) {
	for i, x := range a {
		dst[i] = x + b[i]
	}
}

func mulPortable(dst, a, b []Elem) {
	for i, x := range a {
		dst[i] = x * b[i]
	}
}

func axpyPortable(dst []Elem, alpha Elem, x []Elem) {
	for i, v := range x {
		dst[i] += alpha * v
	}
}

func scalePortable(dst []Elem, alpha Elem, x []Elem) {
	for i, v := range x {
		dst[i] = alpha * v
	}
}

// dotPortable adds in four independent sums, which is faster and has smaller errors.
func dotPortable(a, b []Elem) Elem {
	var sums [4]Elem
	b = b[:len(a)]
	for len(a) >= 4 {
		sums[0] += a[0] * b[0]
		sums[1] += a[1] * b[1]
		sums[2] += a[2] * b[2]
		sums[3] += a[3] * b[3]
		a, b = a[4:], b[4:]
	}
	for i, x := range a {
		sums[i] += x * b[i]
	}
	return sums[0] + sums[1] + (sums[2] + sums[3])
}

func sumPortable(a []Elem) Elem {
	var sums [4]Elem
	for len(a) >= 4 {
		sums[0] += a[0]
		sums[1] += a[1]
		sums[2] += a[2]
		sums[3] += a[3]
		a = a[4:]
	}
	for i, x := range a {
		sums[i] += x
	}
	return sums[0] + sums[1] + (sums[2] + sums[3])
}

func addRowPortable(dst, x, row []Elem) {
	cols := len(row)
	for i := 0; i < len(x); i += cols {
		addPortable(dst[i:i+cols], x[i:i+cols], row)
	}
}

func mulRowsPortable(dst, x, row []Elem) {
	cols := len(row)
	for i := 0; i < len(x); i += cols {
		mulPortable(dst[i:i+cols], x[i:i+cols], row)
	}
}

func sumRowsPortable(dst, x []Elem) {
	cols := len(dst)
	for i := 0; i < len(x); i += cols {
		addPortable(dst, dst, x[i:i+cols])
	}
}

func mulSumRowsPortable(dst, a, b []Elem) {
	cols := len(dst)
	for i := 0; i < len(a); i += cols {
		for j, x := range a[i : i+cols] {
			dst[j] += x * b[i+j]
		}
	}
}
