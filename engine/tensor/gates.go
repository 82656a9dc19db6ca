package tensor

// Elementwise operations of networks with gates, forwards and backwards.

// SigmoidRows writes σ(x + row) for each row of x: dst, x [R,C], row [C], with the error of
// Sigmoid. dst can be x, but must not overlap row. It panics if the lengths differ or are not a
// multiple of len(row).
func SigmoidRows(dst, x, row []Elem) {
	mustBeRows("SigmoidRows", len(row), dst, x)
	if len(x) > 0 {
		machine.sigmoidRows(dst, x, row)
	}
}

// TanhRows writes tanh(x + row) for each row of x, with an absolute error of at most 2e-7.
// In all other respects it is like SigmoidRows.
func TanhRows(dst, x, row []Elem) {
	mustBeRows("TanhRows", len(row), dst, x)
	if len(x) > 0 {
		machine.tanhRows(dst, x, row)
	}
}

// Gate writes g∘a + (1 − g)∘b to dst, which can be any of the arguments. It panics if the lengths
// differ.
func Gate(dst, g, a, b []Elem) {
	mustMatch("Gate", dst, g, a, b)
	machine.gate(dst, g, a, b)
}

// GateBackward computes the gradient of Gate if g is a sigmoid and b is a tanh. The gradients are
// with respect to the argument of the sigmoid, to a, and to the argument of the tanh:
//
//	dg = dy∘(a − b)∘(g − g²)    da = dy∘g    db = dy∘(1 − g)∘(1 − b²)
//
// da can be dy. It panics if the lengths differ.
func GateBackward(dg, da, db, dy, g, a, b []Elem) {
	mustMatch("GateBackward", dg, da, db, dy, g, a, b)
	machine.gateBackward(dg, da, db, dy, g, a, b)
}

// ResetBackward computes the gradient of r∘x if r is a sigmoid. It writes the gradient dr with
// respect to the sigmoid's argument, and adds the gradient with respect to x to dx:
//
//	dr = dq∘x∘(r − r²)    dx += dq∘r
//
// dr can be dq. It panics if the lengths differ.
func ResetBackward(dr, dx, dq, r, x []Elem) {
	mustMatch("ResetBackward", dr, dx, dq, r, x)
	machine.resetBackward(dr, dx, dq, r, x)
}

// quick is the factor in the logistic approximation of GELU (Hendrycks and Gimpel 2016).
const quick = 1.702

// QuickGELU writes x·σ(1.702x) to dst, which can be x. It panics if the lengths differ.
func QuickGELU(dst, x []Elem) {
	mustMatch("QuickGELU", dst, x)
	machine.quickGELU(dst, x)
}

// QuickGELUBackward writes the gradient dx of QuickGELU, and recomputes y = QuickGELU(x). dx can be
// dy. It panics if the lengths differ.
func QuickGELUBackward(dx, y, x, dy []Elem) {
	mustMatch("QuickGELUBackward", dx, y, x, dy)
	machine.quickGELUBackward(dx, y, x, dy)
}

// CombineRows writes p∘x + q∘y + row for each row of x and y, element by element: dst, x, y [R,C];
// p, q, row [C]. dst can be x or y. It panics if the lengths differ or are not a multiple of
// len(row).
func CombineRows(dst, x, p, y, q, row []Elem) {
	mustBeRows("CombineRows", len(row), dst, x, y)
	mustMatch("CombineRows", row, p, q)
	if len(x) > 0 {
		machine.combineRows(dst, x, p, y, q, row)
	}
}

func sigmoidRowsPortable(dst, x, row []Elem) {
	for i, v := range x {
		dst[i] = sigmoid(v + row[i%len(row)])
	}
}

func tanhRowsPortable(dst, x, row []Elem) {
	for i, v := range x {
		dst[i] = 2*sigmoid(2*(v+row[i%len(row)])) - 1
	}
}

func gatePortable(dst, g, a, b []Elem) {
	for i, w := range g {
		dst[i] = w*a[i] + (1-w)*b[i]
	}
}

func gateBackwardPortable(dg, da, db, dy, g, a, b []Elem) {
	for i, w := range g {
		slope := dy[i]
		dg[i], da[i], db[i] = slope*(w-w*w)*(a[i]-b[i]), slope*w, slope*(1-w)*(1-b[i]*b[i])
	}
}

func resetBackwardPortable(dr, dx, dq, r, x []Elem) {
	for i, w := range r {
		dx[i] += dq[i] * w
		dr[i] = dq[i] * x[i] * (w - w*w)
	}
}

func quickGELUPortable(dst, x []Elem) {
	for i, v := range x {
		dst[i] = v * sigmoid(quick*v)
	}
}

func quickGELUBackwardPortable(dx, y, x, dy []Elem) {
	for i, v := range x {
		s := sigmoid(quick * v)
		y[i], dx[i] = v*s, dy[i]*(s+quick*v*(s-s*s))
	}
}

func combineRowsPortable(dst, x, p, y, q, row []Elem) {
	for i, v := range x {
		j := i % len(row)
		dst[i] = v*p[j] + y[i]*q[j] + row[j]
	}
}
