//go:build !f64

package tensor

import "math"

// expFloor is the limit below which e^x is not a normal number; exp returns 0 there.
const expFloor = -87.33654

// exp returns e^x for x ≤ 0, within 2 units in the last place. It computes e^x = 2^n·e^r with an
// integer n and |r| ≤ ln2/2, for which a polynomial approximates e^r. A positive x is treated as 0;
// NaN stays NaN.
func exp(x Elem) Elem {
	if x > 0 {
		x = 0
	}
	if x < expFloor {
		return 0
	}
	const (
		toInteger = 3 << 22 // adding it rounds to an integer
		ln2High   = 0.693359375
		ln2Low    = -2.12194440e-4
	)
	shifted := x*math.Log2E + toInteger
	n := shifted - toInteger
	r := x - n*ln2High
	r -= n * ln2Low
	p := Elem(1.388890e-3)
	p = p*r + 8.333332e-3
	p = p*r + 4.1666646e-2
	p = p*r + 1.6666666e-1
	p = p*r + 0.5
	p = p*r + 1
	p = p*r + 1
	return p * math.Float32frombits(math.Float32bits(shifted)<<23+0x3f800000)
}

func sqrt(x Elem) Elem { return Elem(math.Sqrt(float64(x))) }

// normalTail returns the probability Q(z) that a standard normal variable exceeds z ≥ 0, given e =
// exp(-z²/2). It is e times a polynomial in t = 1/(1+0.4z), fitted to an absolute error of 2e-8 (in
// the form of Abramowitz and Stegun, 1964, equation 26.2.17).
func normalTail(z, e Elem) Elem {
	t := 1 / (1 + 0.4*z)
	p := Elem(0.05634185202702385)
	p = p*t - 0.25446582994389294
	p = p*t + 0.3392736602817411
	p = p*t + 0.013581663490969812
	p = p*t + 0.18853397225495178
	p = p*t + 0.15673473037344912
	return p * t * e
}
