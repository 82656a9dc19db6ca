package tensor

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// geluAccuracy is the documented error of GELU, relative to max(1, |x|).
const geluAccuracy = 2e-7

// TestGELUAccuracy tests a dense grid of arguments.
func TestGELUAccuracy(t *testing.T) {
	var x []Elem
	for v := -20.0; v <= 20; v += 1.0 / 512 {
		x = append(x, Elem(v))
	}
	x = append(x, 1e-30, -1e-30, 1e30, -1e30)
	for name, s := range levels() {
		got := make([]Elem, len(x))
		s.gelu(got, x)
		var worst, where float64
		for i, v := range x {
			at := float64(v)
			if e := math.Abs(float64(got[i])-at*normal(at)) / max(1, math.Abs(at)); e > worst {
				worst, where = e, at
			}
		}
		if worst > geluAccuracy {
			t.Errorf("%s: error %.3g at %v", name, worst, where)
		}
	}
}

// expAccuracy is the allowed relative error of the exponential function in a softmax, in units of
// epsilon.
const expAccuracy = 4.0

// TestSoftmaxOfTwo compares softmax with e^x/(1+e^x), down to the x for which exp returns 0.
func TestSoftmaxOfTwo(t *testing.T) {
	for name, s := range levels() {
		for x := -87.0; x <= 0; x += 1.0 / 64 {
			row := []Elem{Elem(x), 0}
			s.softmaxRows(row, row, 2)
			want := 1 / (1 + math.Exp(-x))
			if e := math.Abs(float64(row[0])/want - 1); e > expAccuracy*epsilon {
				t.Fatalf("%s: softmax of (%v, 0) is off by %.3g", name, x, e)
			}
		}
	}
}

// TestSoftmaxHides tests the properties on which masks rely: -Inf becomes exactly 0, and the other
// probabilities are as if it were absent.
func TestSoftmaxHides(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	hidden := Elem(math.Inf(-1))
	for name, s := range levels() {
		for cols := 1; cols < 70; cols++ {
			row := make([]Elem, cols)
			for i := range row {
				row[i] = hidden
				if i == cols/2 || r.IntN(2) == 0 {
					row[i] = Elem(30 * r.NormFloat64())
				}
			}
			got := slices.Clone(row)
			s.softmaxRows(got, got, cols)
			var sum float64
			for i, p := range got {
				sum += float64(p)
				if row[i] == hidden && p != 0 {
					t.Fatalf("%s: -Inf became %v", name, p)
				}
			}
			if math.Abs(sum-1) > rowOfExp*epsilon {
				t.Fatalf("%s: probabilities sum to %v", name, sum)
			}
		}
	}
}

// twinTolerance is the allowed difference between assembly and its portable twin, in multiples of
// the tolerance that each of them has relative to the definition.
const twinTolerance = 1.0

// TestTwins compares every level of instructions with the portable kernels on
// long rows.
func TestTwins(t *testing.T) {
	const rows, cols = 7, 613
	for _, o := range ops {
		for name, s := range levels() {
			r := rand.New(rand.NewPCG(11, 12))
			var args, twins [][]Elem
			for i, n := range o.lengths(rows, cols) {
				arg := denseMatrix(r, 1, n, false).Data
				for j := range arg {
					arg[j] /= 4
					if o.positiveFrom > 0 && i >= o.positiveFrom {
						arg[j] = max(arg[j], -arg[j])
					}
				}
				args, twins = append(args, arg), append(twins, slices.Clone(arg))
			}
			o.run(s, args, cols)
			o.run(noISA, twins, cols)
			if what := differ(args, twins, twinTolerance*o.tolerance*epsilon); what != "" {
				t.Errorf("%s/%s: %s", o.name, name, what)
			}
		}
	}
}

// differ describes the first difference of more than the tolerance, relative
// to max(1, |y|).
func differ(xs, ys [][]Elem, tolerance float64) string {
	for i, x := range xs {
		for j, v := range x {
			w := float64(ys[i][j])
			if !(math.Abs(float64(v)-w) <= tolerance*max(1, math.Abs(w))) {
				return fmt.Sprintf("argument %d at %d is %v, its twin %v", i, j, v, w)
			}
		}
	}
	return ""
}
