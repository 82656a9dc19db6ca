package metrics

import (
	"math"

	"attnatlas/engine/tensor"
	"attnatlas/engine/trace"
)

// Dependence returns how much the map of one head depends on the words, from 0 to 1. It is the
// RowDistance between the maps for a text and for the same text with its words in reversed order.
// Positions are compared in place, so a head that always attends to the previous position has 0.
func Dependence(m, reversed trace.Map) float64 { return RowDistance(m, reversed) }

// RowDistance returns the distance between two maps of heads, from 0 to 1. It is the mean total
// variation distance
//
//	½·Σ_j |p_ij − q_ij|
//
// over the rows i that both maps have. p and q are the shares |a_ij| ÷ Σ_j |a_ij|, as in Sharpness.
// A column that one of the maps lacks counts as 0.
//
// The maps have two axes.
func RowDistance(a, b trace.Map) float64 { return RowsOf(a).Distance(RowsOf(b)) }

// Rows are the rows of a map, prepared for comparison with many other maps.
type Rows struct {
	value *tensor.T
	scale []float64 // factor that turns an absolute value of a row into a share
}

// RowsOf returns the rows of a map with two axes.
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

// row returns row i of the map.
func (r Rows) row(i int) []tensor.Elem { return r.value.Data[i*r.value.Dim(1):][:r.value.Dim(1)] }

// Distance returns the RowDistance of the two maps.
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

// shares returns the absolute values of a row divided by their sum; a row of zeros stays as it is.
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

// at returns element j of a row, or 0 outside of the row.
func at(row []float64, j int) float64 {
	if 0 <= j && j < len(row) {
		return row[j]
	}
	return 0
}
