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

// Gated holds the arguments of Gate, or the gradients with respect to them.
type Gated struct{ G, A, B []Elem }

// GateBackward computes the gradient d of Gate at x if g is a sigmoid and b is a tanh. The gradients
// are with respect to the argument of the sigmoid, to a, and to the argument of the tanh:
//
//	dg = dy∘(a − b)∘(g − g²)    da = dy∘g    db = dy∘(1 − g)∘(1 − b²)
//
// da can be dy. It panics if the lengths differ.
func GateBackward(d Gated, dy []Elem, x Gated) {
	mustMatch("GateBackward", d.G, d.A, d.B, dy, x.G, x.A, x.B)
	machine.gateBackward(d, dy, x)
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

// Scaled is X [R,C] with each row multiplied by By [C], element by element.
type Scaled struct{ X, By []Elem }

// CombineRows writes x + y + row for each row of x and y, element by element: dst [R,C], row [C]. dst
// can be the rows of x or of y. It panics if the lengths differ or are not a multiple of len(row).
func CombineRows(dst []Elem, x, y Scaled, row []Elem) {
	mustBeRows("CombineRows", len(row), dst, x.X, y.X)
	mustMatch("CombineRows", row, x.By, y.By)
	if len(dst) > 0 {
		machine.combineRows(dst, x, y, row)
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

func gateBackwardPortable(d Gated, dy []Elem, x Gated) {
	for i, w := range x.G {
		slope, a, b := dy[i], x.A[i], x.B[i]
		d.G[i], d.A[i], d.B[i] = slope*(w-w*w)*(a-b), slope*w, slope*(1-w)*(1-b*b)
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

func combineRowsPortable(dst []Elem, x, y Scaled, row []Elem) {
	for i, v := range x.X {
		j := i % len(row)
		dst[i] = v*x.By[j] + y.X[i]*y.By[j] + row[j]
	}
}
