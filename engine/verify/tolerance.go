package verify

import (
	"math"
	"strings"

	"attnatlas/engine/tensor"
)

// limit is the largest difference that element i of an array may have.
type limit func(i int) float64

// limit is what an array of the case may differ by: the rule for its kind, unless the
// reference says otherwise.
func (c *Case) limit(ref reference, name string, want *tensor.T) limit {
	rule := c.rule(ref.names(c.Mechanism), name, want)
	if ref.limit == nil {
		return rule
	}
	return ref.limit(c, name, rule)
}

func (c *Case) rule(n *names, name string, want *tensor.T) limit {
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
