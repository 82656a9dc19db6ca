package verify

import (
	"math"
	"strings"

	"attnatlas/engine/tensor"
)

// Tolerances of float32 against float32 in another order of summation. If a case states the
// reference's own rounding error, the tolerance is four times this error.
const (
	mapTolerance      = 2e-6 // probabilities
	valueTolerance    = 1e-5 // outputs and intermediate values
	relativeTolerance = 1e-6 // of the largest value, where values exceed 10
	gradientTolerance = 1e-4 // times the largest gradient of the array
	roundingFactor    = 4
	// vanishing times the largest gradient of the case counts as noise, if a case does not state its
	// rounding error. Some gradients are 0 except for rounding, because a bias of keys does not affect
	// softmax.
	vanishing = 1e-6
	// penaltyTolerance is for texts of padding only. Fastformer adds −10⁴ to the scores of padding,
	// which leaves about 10⁻³ of their precision.
	penaltyTolerance = 2e-3
)

// limit returns the largest permitted difference of element i of an array.
type limit func(i int) float64

// limit returns the limit of an array in the case: the rule for its kind, unless the reference has
// an exception. Whole numbers must be equal.
func (c *Case) limit(ref reference, name string) limit {
	if _, whole := c.IO.Ints[name]; whole {
		return func(int) float64 { return 0 }
	}
	rule := c.rule(ref.names(), name)
	if ref.limit == nil {
		return rule
	}
	return ref.limit(c, name, rule)
}

func (c *Case) rule(n *names, name string) limit {
	want := c.IO.Arrays[name]
	rounding, probability := roundingFactor*c.Config.Rounding, mapTolerance
	if n.Padding && c.hasEmptyText() {
		rounding, probability = max(rounding, penaltyTolerance), penaltyTolerance
	}
	whole := max(valueTolerance, relativeTolerance*largest(want), rounding)
	switch {
	case strings.HasPrefix(name, "grad."):
		if rounding == 0 {
			rounding = vanishing * c.steepest()
		}
		whole = max(gradientTolerance*largest(want), rounding)
	case name == "influence":
		whole = max(gradientTolerance*largest(want), rounding)
	case matches(n.Maps, name):
		whole = probability
	case matches(n.Scores, name):
		return func(i int) float64 {
			return max(valueTolerance, relativeTolerance*math.Abs(float64(want.Data[i])))
		}
	}
	return func(int) float64 { return whole }
}

// hasEmptyText reports whether a sequence of the case is only padding.
func (c *Case) hasEmptyText() bool {
	m := c.IO.Arrays["mask01"]
	for b := 0; m != nil && m.Rank() == 2 && b < m.Dim(0); b++ {
		if largest(m.Sub(b)) == 0 {
			return true
		}
	}
	return false
}

// steepest returns the largest gradient of a case.
func (c *Case) steepest() float64 {
	top := 0.0
	for name, g := range c.IO.Arrays {
		if strings.HasPrefix(name, "grad.") {
			top = max(top, largest(g))
		}
	}
	return top
}

// largest returns the largest magnitude, without the values that represent −∞.
func largest(t *tensor.T) float64 {
	top := 0.0
	for _, v := range t.Data {
		if v := math.Abs(float64(v)); v < 1e8 {
			top = max(top, v)
		}
	}
	return top
}
