package metrics

import (
	"cmp"
	"math"
	"slices"

	"attnatlas/engine/tensor"
)

// JensenShannon returns the Jensen–Shannon divergence of two distributions over the same n
// positions, in bits: H(m) − ½·H(p) − ½·H(q), where m is their mean and H is Shannon's entropy (Lin
// 1991, "Divergence Measures Based on the Shannon Entropy", eq. 4.1, with weights ½). It is
// symmetric. It is 0 if p and q are equal, and 1 if no position has a share in both. It is NaN if p
// or q is not a distribution: if a share is negative or NaN, or if a sum differs from 1 by more
// than sumTolerance.
func JensenShannon(p, q []float64) float64 {
	if len(p) != len(q) || !distribution(p) || !distribution(q) {
		return math.NaN()
	}
	total := 0.0
	for i := range p {
		m := (p[i] + q[i]) / 2
		total += (gain(p[i], m) + gain(q[i], m)) / 2
	}
	return min(max(total, 0), 1) // rounding
}

// gain returns p·log₂(p/m), or 0 for p = 0.
func gain(p, m float64) float64 {
	if p == 0 {
		return 0
	}
	return p * math.Log2(p/m)
}

// sumTolerance is the largest allowed difference from 1 of the sum of a distribution of float32
// numbers.
const sumTolerance = 1e-4

func distribution(p []float64) bool {
	sum := 0.0
	for _, v := range p {
		if !(v >= 0) {
			return false
		}
		sum += v
	}
	return math.Abs(sum-1) <= sumTolerance
}

// Spearman returns the rank correlation of two lists of the same length, from −1 to 1. It is
// Pearson's correlation of the ranks, where equal values share the mean of their ranks (Spearman
// 1904; Kendall and Gibbons 1990, ch. 3). It is NaN if a list has fewer than two different values,
// or contains NaN.
func Spearman(a, b []float64) float64 {
	if len(a) != len(b) || slices.ContainsFunc(a, math.IsNaN) || slices.ContainsFunc(b, math.IsNaN) {
		return math.NaN()
	}
	ra, rb := ranks(a), ranks(b)
	mean := float64(len(a)+1) / 2
	var ab, aa, bb float64
	for i := range ra {
		x, y := ra[i]-mean, rb[i]-mean
		ab, aa, bb = ab+x*y, aa+x*x, bb+y*y
	}
	if aa == 0 || bb == 0 {
		return math.NaN()
	}
	return min(max(ab/math.Sqrt(aa*bb), -1), 1) // rounding
}

// ranks returns the ranks of values, from 1; equal values get the mean of their ranks.
func ranks(values []float64) []float64 {
	order := make([]int, len(values))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(values[i], values[j]) })
	out := make([]float64, len(values))
	for from := 0; from < len(order); {
		to := from + 1
		for to < len(order) && values[order[to]] == values[order[from]] {
			to++
		}
		for _, i := range order[from:to] {
			out[i] = float64(from+1+to) / 2
		}
		from = to
	}
	return out
}

// Changed is ‖a−b‖₁/(‖a‖₁+‖b‖₁) for maps of the same shape. It is 0 if they are equal, and 1 if no cell is nonzero
// with the same sign in both. If the n rows of both are distributions, it is ‖a−b‖₁/2n, the mean total variation
// distance of the rows. It is 0 if both maps are zero.
func Changed(a, b *tensor.T) float64 {
	differ, all := 0.0, 0.0
	for i := range a.Data {
		x, y := float64(a.Data[i]), float64(b.Data[i])
		differ += math.Abs(x - y)
		all += math.Abs(x) + math.Abs(y)
	}
	if differ == 0 {
		return 0
	}
	return differ / all
}

// SameBits reports whether two arrays of the same shape have the same bits in every element. The two zeros differ,
// and a NaN equals itself.
func SameBits(a, b *tensor.T) bool {
	if !slices.Equal(a.Shape, b.Shape) {
		return false
	}
	for i := range a.Data {
		x, y := float64(a.Data[i]), float64(b.Data[i]) // float64 keeps every bit
		if math.Float64bits(x) != math.Float64bits(y) {
			return false
		}
	}
	return true
}

// RelativeDifference returns the largest difference of two arrays, divided by the largest magnitude in either.
func RelativeDifference(a, b *tensor.T) float64 {
	far, largest := 0.0, 0.0
	for i := range a.Data {
		x, y := float64(a.Data[i]), float64(b.Data[i])
		far, largest = max(far, math.Abs(x-y)), max(largest, math.Abs(x), math.Abs(y))
	}
	if largest == 0 {
		return 0
	}
	return far / largest
}
