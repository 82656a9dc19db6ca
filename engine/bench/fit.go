package bench

import (
	"slices"

	"attnatlas/engine/costs"
)

// median returns the median of a non-empty list.
func median(list []float64) float64 {
	s := slices.Sorted(slices.Values(list))
	m := len(s) / 2
	if len(s)%2 == 1 {
		return s[m]
	}
	return (s[m-1] + s[m]) / 2
}

// describe sets median and range from a figure's rounds.
func (f *Quantity) describe(rounds []float64) {
	f.Rounds, f.Median, f.Min, f.Max = len(rounds), median(rounds), slices.Min(rounds), slices.Max(rounds)
}

// growth fits the growth of time over tasks of increasing length.
type growth struct {
	mechanism string
	claimed   float64
	lengths   []int // ascending
	points    []*task
	note      string // lengths that were left out
}

func (g growth) name() string { return "forward/" + g.mechanism + "/growth" }

// figure returns the slope as a figure, from the rounds in which all lengths were sampled.
func (g growth) figure() Quantity {
	f := Quantity{Name: g.name(), Unit: Exponent, Clock: g.points[0].clock(), Threads: 1, Operations: 1,
		Claimed: g.claimed}
	f.describe(g.slopes(f.Clock))
	f.Wall = median(g.slopes(Wall))
	return f
}

func (g growth) slopes(c Clock) []float64 {
	rounds := len(g.points[0].samples)
	for _, t := range g.points {
		rounds = min(rounds, len(t.samples))
	}
	slopes, times := make([]float64, rounds), make([]float64, len(g.points))
	for r := range slopes {
		for i, t := range g.points {
			times[i] = t.samples[r].seconds(c)
		}
		slopes[r] = costs.Slope(g.lengths, times)
	}
	return slopes
}
