package metrics

import (
	"math"

	"attnatlas/engine/tensor"
	"attnatlas/engine/trace"
)

// Dependence is how much the map of one head depends on the words, 0…1: the RowDistance of its map for a text from its map for
// the same text with its words in reversed order. Positions are compared in place, so a head that attends to the position
// before it, whatever stands there, has 0.
func Dependence(m, reversed trace.Map) float64 { return RowDistance(m, reversed) }

// RowDistance is how far two maps of heads are apart, 0…1: the mean, over the rows i that both have, of the total variation
// distance
//
//	½·Σ_j |p_ij − q_ij|
//
// of their rows i. p and q are the shares |a_ij| ÷ Σ_j |a_ij|, as in Sharpness; a column that one map does not have counts
// as 0.
//
// The maps have two axes.
func RowDistance(a, b trace.Map) float64 {
	rows := min(a.Value.Dim(0), b.Value.Dim(0))
	total := 0.0
	for i := range rows {
		p, q := shares(a.Value.Sub(i).Data), shares(b.Value.Sub(i).Data)
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

// at is element j of a row, or 0 outside of it.
func at(row []float64, j int) float64 {
	if 0 <= j && j < len(row) {
		return row[j]
	}
	return 0
}
