package svd_test

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"attnatlas/engine/svd"
	"attnatlas/engine/tensor"
)

// normal returns a matrix of normally distributed numbers.
func normal(rng *rand.Rand, rows, cols int) *tensor.T {
	x := tensor.New(rows, cols)
	for i := range x.Data {
		x.Data[i] = tensor.Elem(rng.NormFloat64())
	}
	return x
}

// TestDecompose: the terms add up to the product, their directions are orthonormal, and the values descend. This is
// tested for narrow and for wide factors, and for a rank below the number of columns.
func TestDecompose(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, size := range [][2]int{{1, 1}, {7, 3}, {5, 5}, {4, 9}, {19, 16}} {
		n, k := size[0], size[1]
		for _, equal := range []bool{false, true} {
			a, b := normal(rng, n, k), normal(rng, n, k)
			if equal { // two equal columns
				for i := range n {
					a.Data[i*k], b.Data[i*k] = a.Data[i*k+k-1], b.Data[i*k+k-1]
				}
			}
			d := svd.Decompose(a, b)
			descending := slices.IsSortedFunc(d.Values, func(x, y float64) int { return cmp.Compare(y, x) })
			if len(d.Values) != min(n, k) || !descending {
				t.Fatalf("%d×%d: values %v", n, k, d.Values)
			}
			for i := range n {
				for j := range n {
					want, got := 0.0, 0.0
					for f := range k {
						want += float64(a.Data[i*k+f]) * float64(b.Data[j*k+f])
					}
					for term := range d.Values {
						left, right := d.Term(term)
						got += left[i] * right[j]
					}
					if math.Abs(want-got) > 1e-5 {
						t.Fatalf("%d×%d: %v at %d, %d instead of %v", n, k, got, i, j, want)
					}
				}
			}
			for x := range d.Values {
				for y := range d.Values {
					left, right := d.Term(x)
					left2, right2 := d.Term(y)
					u, v := dot(left, left2), dot(right, right2)
					if x != y && math.Abs(u) > 1e-6 || x == y && math.Abs(u-d.Values[x]*d.Values[x]) > 1e-6 {
						t.Errorf("%d×%d: left terms %d and %d have the product %v", n, k, x, y, u)
					}
					want := 0.0
					if x == y {
						want = 1
					}
					if d.Values[x] > 1e-6 && d.Values[y] > 1e-6 && math.Abs(v-want) > 1e-6 {
						t.Errorf("%d×%d: right terms %d and %d have the product %v", n, k, x, y, v)
					}
				}
			}
			if left, right := d.Term(len(d.Values)); left != nil || right != nil {
				t.Error("there is a term after the last one")
			}
		}
	}
}

func dot(a, b []float64) (sum float64) {
	for i := range a {
		sum += a[i] * b[i]
	}
	return sum
}
