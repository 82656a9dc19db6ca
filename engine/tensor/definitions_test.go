package tensor

import (
	"math"
	"slices"
)

// Definitions of the operations, in float64 and without regard to speed.

const normEpsilon = 1e-5

var adamExample = AdamStep{T: 3, Rate: 0.01, Beta1: 0.9, Beta2: 0.999, Epsilon: 1e-8, Decay: 0.1}

func softmaxDefinition(row [][]float64) {
	var sum float64
	largest := math.Inf(-1)
	for _, x := range row[1] {
		if x > largest {
			largest = x
		}
	}
	for i, x := range row[1] {
		row[0][i] = math.Exp(x - largest)
		sum += row[0][i]
	}
	for i := range row[0] {
		row[0][i] /= sum
	}
}

func normal(x float64) float64 { return math.Erfc(-x/math.Sqrt2) / 2 }

func density(x float64) float64 { return math.Exp(-x*x/2) / math.Sqrt(2*math.Pi) }

// finite replaces -Inf by a finite number with the same limits.
func finite(x float64) float64 {
	if math.IsInf(x, -1) {
		return -1000
	}
	return x
}

// tame replaces both infinities by finite numbers with the same limits.
func tame(x float64) float64 {
	if math.IsInf(x, 1) {
		return 1000
	}
	return finite(x)
}

// logistic returns (1 + tanh(√(2/π)(x + 0.044715x³)))/2.
func logistic(x float64) float64 {
	return 1 / (1 + math.Exp(-2*math.Sqrt(2/math.Pi)*(x+0.044715*x*x*x)))
}

func mean(x []float64) float64 {
	var sum float64
	for _, v := range x {
		sum += v
	}
	return sum / float64(len(x))
}

func layerNormDefinition(a [][]float64, cols int) {
	for i := range a[4] {
		out, row := a[0][i*cols:(i+1)*cols], a[1][i*cols:(i+1)*cols]
		m := mean(row)
		squares := slices.Clone(row)
		for j := range squares {
			squares[j] = (row[j] - m) * (row[j] - m)
		}
		r := 1 / math.Sqrt(mean(squares)+normEpsilon)
		for j, x := range row {
			out[j] = (x-m)*r*a[2][j] + a[3][j]
		}
		a[4][i], a[5][i] = m, r
	}
}

func layerNormBackwardDefinition(a [][]float64, cols int) {
	dx, dgamma, dbeta, x, gamma, m, r, dy := a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7]
	for i := range m {
		hat, g, both := make([]float64, cols), make([]float64, cols), make([]float64, cols)
		for j := range cols {
			at := i*cols + j
			hat[j], g[j] = (x[at]-m[i])*r[i], dy[at]*gamma[j]
			both[j] = hat[j] * g[j]
			dgamma[j] += dy[at] * hat[j]
			dbeta[j] += dy[at]
		}
		for j := range cols {
			dx[i*cols+j] = r[i] * (g[j] - mean(g) - hat[j]*mean(both))
		}
	}
}

// adamDefinition is AdamW by definition; its arguments are p, m, v and g.
func adamDefinition(a []float64) {
	s := adamExample
	a[1] = s.Beta1*a[1] + (1-s.Beta1)*a[3]
	a[2] = s.Beta2*a[2] + (1-s.Beta2)*a[3]*a[3]
	t := float64(s.T)
	first, second := a[1]/(1-math.Pow(s.Beta1, t)), a[2]/(1-math.Pow(s.Beta2, t))
	a[0] = (1-s.Rate*s.Decay)*a[0] - s.Rate*first/(math.Sqrt(second)+s.Epsilon)
}
