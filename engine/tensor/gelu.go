package tensor

import "math"

// GELU writes the Gaussian error linear unit x·Φ(x) of Hendrycks and Gimpel (2016) to dst, where Φ
// is the distribution function of the standard normal. The absolute error is at most 2e-7·max(1,
// |x|). dst can be x. It panics if the lengths differ.
func GELU(dst, x []Elem) {
	mustMatch("GELU", dst, x)
	machine.gelu(dst, x)
}

// GELUBackward writes the gradient of GELU, dx = dy·(Φ(x) + x·φ(x)), where φ is the density. dx can
// be x or dy. It panics if the lengths differ.
func GELUBackward(dx, x, dy []Elem) {
	mustMatch("GELUBackward", dx, x, dy)
	machine.geluBackward(dx, x, dy)
}

// GELUTanh writes the approximation x·(1 + tanh(√(2/π)(x + 0.044715x³)))/2 of GELU, from the same
// paper, to dst. dst can be x. It panics if the lengths differ.
func GELUTanh(dst, x []Elem) {
	mustMatch("GELUTanh", dst, x)
	machine.geluTanh(dst, x)
}

// GELUTanhBackward writes the gradient of GELUTanh. dx can be x or dy. It panics if the lengths
// differ.
func GELUTanhBackward(dx, x, dy []Elem) {
	mustMatch("GELUTanhBackward", dx, x, dy)
	machine.geluTanhBackward(dx, x, dy)
}

// geluEnd is the |x| beyond which the tails are 0; larger |x| are replaced by it. All four functions
// are x⁺ − |x|·Q(|x|), or its derivative, with a tail probability Q.
const geluEnd = 14

// tanhLinear and tanhCubic are the coefficients of x·(1.59… + 0.07…x²), the argument of the
// logistic function in GELUTanh.
const (
	tanhLinear = 1.5957691216057308
	tanhCubic  = tanhLinear * 0.044715
)

const inverseSqrt2Pi = 1 / (math.SqrtPi * math.Sqrt2)

// fold returns max(x, 0), and |x| limited to geluEnd.
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

// above converts the tail beyond |x| to the value of the distribution function at x.
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

// logisticTail returns 1/(1+e^u), where u is the argument above, and the derivative of u.
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
