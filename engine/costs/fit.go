package costs

import "math"

// Slope returns the exponent g of time ≈ c·N^g: the least-squares slope of the logarithm of the
// times over the logarithm of the lengths.
func Slope(lengths []int, times []float64) float64 {
	var x, y, xx, xy float64
	for i, n := range lengths {
		a, b := math.Log(float64(n)), math.Log(times[i])
		x, y, xx, xy = x+a, y+b, xx+a*a, xy+a*b
	}
	n := float64(len(lengths))
	return (n*xy - x*y) / (n*xx - x*x)
}
