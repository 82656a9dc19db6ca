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
func RowDistance(a, b trace.Map) float64 { return RowsOf(a).Distance(RowsOf(b)) }

// Rows are the rows of a map that is compared with many others.
type Rows struct {
	value *tensor.T
	scale []float64 // what makes an absolute value of a row a share
}

// RowsOf are those of a map of two axes.
func RowsOf(m trace.Map) Rows {
	r := Rows{m.Value, make([]float64, m.Value.Dim(0))}
	for i := range r.scale {
		sum := 0.0
		for _, v := range r.row(i) {
			sum += math.Abs(float64(v))
		}
		if sum > 0 {
			r.scale[i] = 1 / sum
		}
	}
	return r
}

// row is row i of the map.
func (r Rows) row(i int) []tensor.Elem { return r.value.Data[i*r.value.Dim(1):][:r.value.Dim(1)] }

// Distance is the RowDistance of the maps.
func (r Rows) Distance(other Rows) float64 {
	rows := min(len(r.scale), len(other.scale))
	total := 0.0
	for i := range rows {
		p, q := r.row(i), other.row(i)
		both := min(len(p), len(q))
		for j, v := range p[:both] {
			total += math.Abs(math.Abs(float64(v))*r.scale[i] - math.Abs(float64(q[j]))*other.scale[i])
		}
		for _, v := range p[both:] {
			total += math.Abs(float64(v)) * r.scale[i]
		}
		for _, v := range q[both:] {
			total += math.Abs(float64(v)) * other.scale[i]
		}
	}
	return total / 2 / float64(max(rows, 1))
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
