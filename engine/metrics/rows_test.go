package metrics

import (
	"math"
	"testing"

	"attnatlas/engine/tensor"
	"attnatlas/engine/trace"
)

func square(values ...tensor.Elem) trace.Map {
	n := int(math.Sqrt(float64(len(values))))
	return trace.Map{Value: tensor.From(values, n, n)}
}

// roundOff bounds the rounding error of adding three float32 numbers in float64.
const roundOff = 1e-6

func near(t *testing.T, name string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > roundOff {
		t.Errorf("%s is %v, want %v", name, got, want)
	}
}

func TestRows(t *testing.T) {
	const third = 1.0 / 3
	uniform := square(third, third, third, third, third, third, third, third, third)
	near(t, "entropy of a uniform map", Entropy(uniform), math.Log2(3))
	near(t, "deviation of a uniform map", RowSumDeviation(uniform), 0)
	near(t, "distance in a uniform map", MeanDistance(uniform), (1+2.0/3+1)/3)

	// Row 0 attends to column 2, row 1 to column 0, row 2 to column 1: not symmetric.
	hard := square(0, 0, 1, 1, 0, 0, 0, 1, 0)
	near(t, "entropy of a hard map", Entropy(hard), 0)
	near(t, "distance in a hard map", MeanDistance(hard), 4.0/3)

	near(t, "deviation of the worse row", RowSumDeviation(square(0.5, 0.5, 0.25, 0.5)), 0.25)
	if d := RowSumDeviation(square(tensor.Elem(math.NaN()), 1, 0, 1)); !math.IsNaN(d) {
		t.Errorf("deviation of a map with NaN is %v", d)
	}
}

func TestSeveralHeads(t *testing.T) {
	m := trace.Map{Value: tensor.From([]tensor.Elem{1, 0, 0, 1, 0, 1, 1, 0}, 2, 2, 2)}
	near(t, "distance over two heads", MeanDistance(m), 0.5)
}
