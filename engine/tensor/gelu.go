package tensor

import "math"

// GELU is the Gaussian error linear unit x·Φ(x) of Hendrycks and Gimpel
// (2016), Φ the distribution function of the standard normal, to an absolute
// error of 2e-7·max(1, |x|). dst may be x. It panics if the lengths differ.
func GELU(dst, x []Elem) {
	mustMatch("GELU", dst, x)
	machine.gelu(dst, x)
}

// GELUBackward is the gradient of GELU: dx = dy·(Φ(x) + x·φ(x)), φ the
// density. dx may be x or dy. It panics if the lengths differ.
func GELUBackward(dx, x, dy []Elem) {
	mustMatch("GELUBackward", dx, x, dy)
	machine.geluBackward(dx, x, dy)
}

// GELUTanh is the approximation x·(1 + tanh(√(2/π)(x + 0.044715x³)))/2 of
// GELU, from the same paper. dst may be x. It panics if the lengths differ.
func GELUTanh(dst, x []Elem) {
	mustMatch("GELUTanh", dst, x)
	machine.geluTanh(dst, x)
}

// GELUTanhBackward is the gradient of GELUTanh. dx may be x or dy. It panics
// if the lengths differ.
func GELUTanhBackward(dx, x, dy []Elem) {
	mustMatch("GELUTanhBackward", dx, x, dy)
	machine.geluTanhBackward(dx, x, dy)
}

// All four are x⁺ − |x|·Q(|x|), or its derivative, with a tail probability Q.
// geluEnd is where the tails are nothing but zero; |x| beyond counts as it.
const geluEnd = 14

// The argument of the logistic function that GELUTanh is: x·(1.59… + 0.07…x²).
const (
	tanhLinear = 1.5957691216057308
	tanhCubic  = tanhLinear * 0.044715
)

const inverseSqrt2Pi = 1 / (math.SqrtPi * math.Sqrt2)

// fold returns max(x, 0), and |x| up to the end of the tails.
func fold(x Elem) (positive, z Elem) {
	positive, z = x, x
	if x < 0 {
		positive, z = 0, -x
	}
	if z > geluEnd {
		z = geluEnd
	}
	return positive, z
}

// above turns the tail beyond |x| into the distribution function at x.
func above(x, tail Elem) Elem {
	if x < 0 {
		return tail
	}
	return 1 - tail
}

func geluPortable(dst, x []Elem) {
	for i, v := range x {
		positive, z := fold(v)
		dst[i] = positive - z*normalTail(z, exp(-0.5*z*z))
	}
}

func geluBackwardPortable(dx, x, dy []Elem) {
	for i, v := range x {
		_, z := fold(v)
		e := exp(-0.5 * z * z)
		slope := z * e * inverseSqrt2Pi
		if v < 0 {
			slope = -slope
		}
		dx[i] = dy[i] * (above(v, normalTail(z, e)) + slope)
	}
}

// logisticTail is 1/(1+e^u), u the argument above, and the derivative of u.
func logisticTail(z Elem) (tail, slope Elem) {
	square := z * z
	e := exp(-z * (tanhLinear + tanhCubic*square))
	return e / (1 + e), tanhLinear + 3*tanhCubic*square
}

func geluTanhPortable(dst, x []Elem) {
	for i, v := range x {
		positive, z := fold(v)
		tail, _ := logisticTail(z)
		dst[i] = positive - z*tail
	}
}

func geluTanhBackwardPortable(dx, x, dy []Elem) {
	for i, v := range x {
		_, z := fold(v)
		tail, slope := logisticTail(z)
		slope *= z * tail * (1 - tail)
		if v < 0 {
			slope = -slope
		}
		dx[i] = dy[i] * (above(v, tail) + slope)
	}
}
