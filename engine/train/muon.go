package train

import (
	"math"
	"strings"

	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
)

// Muon holds the hyperparameter of the optimiser for matrices (Jordan et al. 2024,
// github.com/KellerJordan/Muon). Its step is the momentum with all singular values brought close to
// 1.
type Muon struct {
	Momentum float64 `toml:"momentum" json:"momentum,omitempty"` // 0: matrices are updated by AdamW, too
}

// orthogonal reports whether Muon updates a parameter: a matrix of a numbered layer with weight decay and the usual learning
// rate. AdamW updates all others: vectors, embeddings, matrices outside layers, the transition of Universal, arrays of rank
// 3 such as the W₂ of dense, and R, R₁ and R₂.
func (u Muon) orthogonal(p *nn.Param) bool {
	return u.Momentum > 0 && p.Decay && p.Rate == 1 && p.Value.Rank() == 2 && strings.Contains(p.Name, "layer")
}

// muonRounds is the number of times that the polynomial is applied.
const muonRounds = 5

// like is the root mean square of a step of AdamW, about 0.2 (Liu et al. 2025, arXiv:2502.16982, sec. 2.2). With it,
// both optimisers can use one learning rate.
const like = 0.2

// step updates a matrix by its gradient. m holds the momentum.
func (u Muon) step(p, m, g *tensor.T, rate, decay float64) {
	beta := tensor.Elem(u.Momentum)
	tensor.Scale(m.Data, beta, m.Data)
	tensor.Add(m.Data, m.Data, g.Data)
	x := append([]tensor.Elem(nil), g.Data...)
	tensor.Axpy(x, beta, m.Data) // Nesterov momentum
	rows, cols := p.Dim(0), p.Dim(1)
	orthogonalise(x, rows, cols)
	tensor.Scale(p.Data, tensor.Elem(1-rate*decay), p.Data)
	tensor.Axpy(p.Data, tensor.Elem(-rate*like*math.Sqrt(float64(max(rows, cols)))), x)
}

// orthogonalise brings the singular values of a matrix near 1, by a polynomial of odd powers.
func orthogonalise(data []tensor.Elem, rows, cols int) {
	x := tensor.NewMatrix(data, rows, cols)
	norm := math.Sqrt(float64(tensor.Dot(data, data)))
	tensor.Scale(data, tensor.Elem(1/(norm+1e-7)), data)
	n := min(rows, cols)
	square := make([]tensor.Elem, n*n)
	fourth := make([]tensor.Elem, n*n)
	next := make([]tensor.Elem, len(data))
	s, f, y := tensor.NewMatrix(square, n, n), tensor.NewMatrix(fourth, n, n), tensor.NewMatrix(next, rows, cols)
	const a, b, c = 3.4445, -4.7750, 2.0315
	for range muonRounds {
		if rows <= cols {
			tensor.Gemm(s, x, x.T(), 1, tensor.Overwrite)
		} else {
			tensor.Gemm(s, x.T(), x, 1, tensor.Overwrite)
		}
		tensor.Gemm(f, s, s, c, tensor.Overwrite)
		tensor.Axpy(fourth, b, square)
		if rows <= cols {
			tensor.Gemm(y, f, x, 1, tensor.Overwrite)
		} else {
			tensor.Gemm(y, x, f, 1, tensor.Overwrite)
		}
		tensor.Scale(data, a, data)
		tensor.Add(data, data, next)
	}
}
