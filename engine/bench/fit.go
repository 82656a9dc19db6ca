package bench

import (
	"math"
	"slices"
)

// Slope is the exponent g of time ≈ c·N^g: the least-squares slope of the
// logarithm of the times over the logarithm of the lengths.
func Slope(lengths []int, times []float64) float64 {
	var x, y, xx, xy float64
	for i, n := range lengths {
		a, b := math.Log(float64(n)), math.Log(times[i])
		x, y, xx, xy = x+a, y+b, xx+a*a, xy+a*b
	}
	n := float64(len(lengths))
	return (n*xy - x*y) / (n*xx - x*x)
}

// median of a list that is not empty.
func median(list []float64) float64 {
	s := slices.Sorted(slices.Values(list))
	m := len(s) / 2
	if len(s)%2 == 1 {
		return s[m]
	}
	return (s[m-1] + s[m]) / 2
}

// describe fills in median and range of a figure's rounds.
func (f *Figure) describe(rounds []float64) {
	f.Rounds, f.Median, f.Min, f.Max = len(rounds), median(rounds), slices.Min(rounds), slices.Max(rounds)
}

// growth is a fit over tasks of growing length.
type growth struct {
	mechanism string
	claimed   float64
	lengths   []int // ascending
	points    []*task
	note      string // which lengths were left out
}

func (g growth) name() string { return "forward/" + g.mechanism + "/growth" }

// figure is the slope in each round in which all lengths were sampled.
func (g growth) figure() Figure {
	f := Figure{Name: g.name(), Unit: Exponent, Clock: g.points[0].clock(), Threads: 1, Operations: 1, Claimed: g.claimed}
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
		slopes[r] = Slope(g.lengths, times)
	}
	return slopes
}
