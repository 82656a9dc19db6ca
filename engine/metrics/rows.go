package metrics

import (
	"math"

	"attnatlas/engine/tensor"
	"attnatlas/engine/trace"
)

// RowSumDeviation returns the largest |1 − Σ row| over all rows along the last axis.
func RowSumDeviation(m trace.Map) float64 {
	worst := 0.0
	eachRow(m, func(row []float64) {
		sum := 0.0
		for _, p := range row {
			sum += p
		}
		if d := math.Abs(1 - sum); d > worst || math.IsNaN(d) {
			worst = d
		}
	})
	return worst
}

// Entropy returns the mean entropy of the rows along the last axis, in bits. It is 0 if every row
// attends to one position, and log₂ n if it attends to all n equally.
func Entropy(m trace.Map) float64 {
	total, rows := 0.0, 0
	eachRow(m, func(row []float64) {
		rows++
		for _, p := range row {
			if p != 0 {
				total -= p * math.Log2(p)
			}
		}
	})
	return total / float64(max(rows, 1))
}

// MeanDistance returns the mean attention distance in positions: the mean over the queries i of Σ_j
// p_j·|i−j|. The map's last two axes must be positions of one text.
func MeanDistance(m trace.Map) float64 {
	n := m.Value.Dim(-2)
	total, i := 0.0, 0
	eachRow(m, func(row []float64) {
		for j, p := range row {
			total += p * math.Abs(float64(i%n-j))
		}
		i++
	})
	return total / float64(max(i, 1))
}

// eachRow calls visit for each row along the last axis, converted to float64.
func eachRow(m trace.Map, visit func(row []float64)) {
	n := m.Value.Dim(-1)
	row := make([]float64, n)
	for at := 0; n > 0 && at < m.Value.Len(); at += n {
		for j, v := range m.Value.Data[at:][:n] {
			row[j] = float64(v)
		}
		visit(row)
	}
}

// RowShares returns the map with every row along the last axis divided by its sum. Rows that sum to
// 0 stay as they are.
func RowShares(m trace.Map) trace.Map {
	n, at := m.Value.Dim(-1), 0
	m.Value = m.Value.Clone()
	eachRow(m, func(row []float64) {
		sum := 0.0
		for _, p := range row {
			sum += p
		}
		for j, p := range row {
			if sum != 0 {
				m.Value.Data[at+j] = tensor.Elem(p / sum)
			}
		}
		at += n
	})
	return m
}

// Diagonal returns the mean of the cells (i,i) over the queries i. The map's last two axes must be
// positions of one text.
func Diagonal(m trace.Map) float64 {
	n := m.Value.Dim(-2)
	total, i := 0.0, 0
	eachRow(m, func(row []float64) {
		total += row[i%n]
		i++
	})
	return total / float64(max(i, 1))
}
