package attention

import (
	"math"
	"slices"

	"attnatlas/engine/tensor"
)

// singularValues are those of a·bᵀ for a and b [N,k], largest first, k of them. The
// product is never formed: with b = Q·T, T upper triangular, they are those of
// a·Tᵀ [N,k], whose columns one-sided Jacobi rotations make orthogonal
// (Hestenes 1958); their lengths are the singular values.
func singularValues(a, b *tensor.T) []float64 {
	t := triangle(columns(b))
	cols := columns(a)
	k := len(cols)
	m := make([][]float64, k) // m_i = Σ_j T_ij·a_j, the columns of a·Tᵀ
	for i := range m {
		m[i] = make([]float64, a.Dim(0))
		for j := i; j < k; j++ {
			axpy(m[i], t[i][j], cols[j])
		}
	}
	const most = 60 // sweeps; six or so suffice
	for sweep, moved := 0, true; moved && sweep < most; sweep++ {
		moved = false
		for i := range m {
			for j := i + 1; j < k; j++ {
				moved = orthogonalise(m[i], m[j]) || moved
			}
		}
	}
	out := make([]float64, k)
	for i := range out {
		out[i] = math.Sqrt(dot(m[i], m[i]))
	}
	slices.Sort(out)
	slices.Reverse(out)
	return out
}

// orthogonalise rotates two columns in their plane until they are orthogonal,
// and says whether they were not.
func orthogonalise(x, y []float64) bool {
	xx, yy, xy := dot(x, x), dot(y, y), dot(x, y)
	if math.Abs(xy) <= 1e-15*math.Sqrt(xx*yy) {
		return false
	}
	zeta := (yy - xx) / (2 * xy)
	tan := math.Copysign(1/(math.Abs(zeta)+math.Sqrt(1+zeta*zeta)), zeta)
	cos := 1 / math.Sqrt(1+tan*tan)
	sin := cos * tan
	for i := range x {
		x[i], y[i] = cos*x[i]-sin*y[i], sin*x[i]+cos*y[i]
	}
	return true
}

// triangle is T of cols = Q·T with orthonormal Q, by the modified Gram–Schmidt
// method. It overwrites cols.
func triangle(cols [][]float64) [][]float64 {
	t := make([][]float64, len(cols))
	for i, q := range cols {
		t[i] = make([]float64, len(cols))
		length := math.Sqrt(dot(q, q))
		t[i][i] = length
		for f := range q {
			if length > 0 {
				q[f] /= length
			}
		}
		for j := i + 1; j < len(cols); j++ {
			t[i][j] = dot(q, cols[j])
			axpy(cols[j], -t[i][j], q)
		}
	}
	return t
}

// columns are the columns of x [N,k], in float64.
func columns(x *tensor.T) [][]float64 {
	n, k := x.Dim(0), x.Dim(1)
	out := make([][]float64, k)
	for j := range out {
		out[j] = make([]float64, n)
		for i := range n {
			out[j][i] = float64(x.Data[i*k+j])
		}
	}
	return out
}

func dot(a, b []float64) float64 {
	sum := 0.0
	for i := range a {
		sum += a[i] * b[i]
	}
	return sum
}

func axpy(dst []float64, c float64, x []float64) {
	for i := range dst {
		dst[i] += c * x[i]
	}
}
