package metrics

import (
	"slices"

	"attnatlas/engine/ad"
	"attnatlas/engine/attention"
	"attnatlas/engine/tensor"
)

// byColumns takes the blocks J_ij off the diagonal from the mixer. The blocks on the diagonal
// follow from the sums S_j = Σ_i J_ij: J_jj = S_j − Σ_{i≠j} J_ij. The mixer does not know them,
// because they include effects on y_j alone, such as that of its own query. d backward steps give
// the sums of all positions at once. Rows that the mixer does not know are left out of the sums and
// measured separately.
func (m Measurement) byColumns(known *attention.Jacobian) (Squares, error) {
	n, d := m.X.Dim(1), m.X.Dim(2)
	sums, err := m.columnSums(known.Except)
	if err != nil {
		return Squares{}, err
	}
	squares := Squares{Columns: n, Values: make([]float64, n*n)}
	column, others := make([]float64, n), tensor.New(d, d)
	for j := range n {
		if j%max(1, pairsPerTurn/n) == 0 {
			if err := m.Turn(); err != nil {
				return Squares{}, err
			}
		}
		known.Column(j, column, tensor.NewMatrix(others.Data, d, d))
		own := sums.Sub(j).Data
		tensor.Axpy(own, -1, others.Data)
		column[j] = 0
		addSquares(column[j:j+1], nil, 0, own)
		for i, v := range column {
			squares.Values[i*n+j] = v
		}
	}
	for _, i := range known.Except {
		row, err := m.byRows(ad.Span{From: i, To: i + 1})
		if err != nil {
			return Squares{}, err
		}
		copy(squares.Values[i*n:][:n], row.Values)
	}
	return squares, nil
}

// pairsPerTurn is the number of pairs of positions that take a few milliseconds.
const pairsPerTurn = 512

// columnSums returns S_j = Σ_i ∂y_i/∂x_j over all i that are not left out: [N,d,d].
func (m Measurement) columnSums(without []int) (*tensor.T, error) {
	n, d := m.X.Dim(1), m.X.Dim(2)
	sums := tensor.New(n, d, d)
	err := m.pull(d, func(at int, seed []tensor.Elem) {
		for i := range n {
			if !slices.Contains(without, i) {
				seed[i*d+at] = 1
			}
		}
	}, func(at int, g []tensor.Elem) {
		for j := range n {
			copy(sums.Data[(j*d+at)*d:][:d], g[j*d:][:d])
		}
	})
	return sums, err
}
