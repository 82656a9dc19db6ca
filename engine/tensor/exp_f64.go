//go:build f64

package tensor

import "math"

func exp(x Elem) Elem { return math.Exp(min(x, 0)) }

func sqrt(x Elem) Elem { return math.Sqrt(x) }

// normalTail returns the probability that a standard normal variable exceeds z.
func normalTail(z, _ Elem) Elem { return math.Erfc(z/math.Sqrt2) / 2 }
