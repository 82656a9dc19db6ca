// Package svd computes singular value decompositions of products of two matrices, such as the learned scores of the
// random synthesizer. It splits them into terms of rank 1.
package svd

import (
	"cmp"
	"math"
	"slices"

	"attnatlas/engine/tensor"
)

// Decomposition is a matrix [N,N] as a sum of matrices of rank 1, R = Σ_i σ_i·u_i·v_iᵀ, with
// orthonormal u and v. Its first r terms are the nearest matrix of rank r (Eckart, Young 1936).
type Decomposition struct {
	Values []float64   // σ, in descending order
	left   [][]float64 // σ_i·u_i, each of N numbers
	right  [][]float64 // v_i
}

// Term returns σ·u and v of term i, counted from 0, or nil if there are fewer terms.
func (d Decomposition) Term(i int) (left, right []float64) {
	if i >= len(d.Values) {
		return nil, nil
	}
	return d.left[i], d.right[i]
}

// Decompose decomposes a·bᵀ for a and b [N,k] into min(N,k) terms.
func Decompose(a, b *tensor.T) Decomposition {
	if n := a.Dim(0); a.Dim(1) > n { // the rank is at most n: form the product
		a, b = product(a, b), unit(n)
	}
	return decompose(a, b)
}

// decompose decomposes a·bᵀ for a and b [N,k] into k terms, without forming the product. With b =
// Q·T, T upper triangular, the product is M·Qᵀ for M = a·Tᵀ [N,k]. One-sided Jacobi rotations make
// the columns of M orthogonal (Hestenes 1958): M·W = U·Σ, and V = Q·W.
func decompose(a, b *tensor.T) Decomposition {
	right := columns(b)
	t := triangle(right)
	cols := columns(a)
	k := len(cols)
	left := make([][]float64, k) // m_i = Σ_j T_ij·a_j, columns of a·Tᵀ
	for i := range left {
		left[i] = make([]float64, a.Dim(0))
		for j := i; j < k; j++ {
			axpy(left[i], t[i][j], cols[j])
		}
	}
	const most = 60 // sweeps; about six suffice
	for sweep, moved := 0, true; moved && sweep < most; sweep++ {
		moved = false
		for i := range left {
			for j := i + 1; j < k; j++ {
				if cos, sin, turned := orthogonal(left[i], left[j]); turned {
					rotate(left[i], left[j], cos, sin)
					rotate(right[i], right[j], cos, sin)
					moved = true
				}
			}
		}
	}
	return sorted(left, right)
}

// sorted returns a decomposition with the values in descending order.
func sorted(left, right [][]float64) (d Decomposition) {
	lengths, order := make([]float64, len(left)), make([]int, len(left))
	for i := range left {
		lengths[i], order[i] = math.Sqrt(dot(left[i], left[i])), i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(lengths[j], lengths[i]) })
	for _, i := range order {
		d.Values, d.left, d.right = append(d.Values, lengths[i]), append(d.left, left[i]), append(d.right, right[i])
	}
	return d
}

// orthogonal returns the rotation of two columns in their plane that makes them orthogonal. turned
// is false if they already are.
func orthogonal(x, y []float64) (cos, sin float64, turned bool) {
	xx, yy, xy := dot(x, x), dot(y, y), dot(x, y)
	if math.Abs(xy) <= 1e-15*math.Sqrt(xx*yy) {
		return 1, 0, false
	}
	zeta := (yy - xx) / (2 * xy)
	tan := math.Copysign(1/(math.Abs(zeta)+math.Sqrt(1+zeta*zeta)), zeta)
	cos = 1 / math.Sqrt(1+tan*tan)
	return cos, cos * tan, true
}

func rotate(x, y []float64, cos, sin float64) {
	for i := range x {
		x[i], y[i] = cos*x[i]-sin*y[i], sin*x[i]+cos*y[i]
	}
}

// triangle returns T of cols = Q·T with orthonormal Q, by the modified Gram–Schmidt method. It
// overwrites cols with Q.
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

// columns returns the columns of x [N,k] in float64.
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
