package metrics

import (
	"math"

	"attnatlas/engine/tensor"
	"attnatlas/engine/trace"
)

// Dependence is how much the map of one head depends on the words, 0…1: the mean, over the rows i that both maps have, of the
// total variation distance
//
//	½·Σ_j |p_ij − q_ij|
//
// between row i for a text and row i for the same text with its words in reversed order. Positions are compared in place, so
// a head that attends to the position before it, whatever stands there, has 0. p and q are the shares |a_ij| ÷ Σ_j |a_ij|, as
// in Sharpness; a column that one map does not have counts as 0.
//
// The maps have two axes.
func Dependence(m, reversed trace.Map) float64 {
	rows := min(m.Value.Dim(0), reversed.Value.Dim(0))
	total := 0.0
	for i := range rows {
		p, q := shares(m.Value.Sub(i).Data), shares(reversed.Value.Sub(i).Data)
		for j := range max(len(p), len(q)) {
			total += math.Abs(at(p, j)-at(q, j)) / 2
		}
	}
	return total / float64(max(rows, 1))
}

// shares are the absolute values of a row divided by their sum; a row of zeros stays as it is.
func shares(row []tensor.Elem) []float64 {
	all, sum := make([]float64, len(row)), 0.0
	for j, v := range row {
		all[j] = math.Abs(float64(v))
		sum += all[j]
	}
	for j := range all {
		if sum > 0 {
			all[j] /= sum
		}
	}
	return all
}

// at is element j of a row, or 0 behind its end.
func at(row []float64, j int) float64 {
	if j < len(row) {
		return row[j]
	}
	return 0
}
