package tensor

import (
	"math"
	"testing"
)

// TestReLUOfZero tests the sign of zero and the result for NaN, in whole vectors and in the rest of
// a row.
func TestReLUOfZero(t *testing.T) {
	minus, nan := Elem(math.Copysign(0, -1)), Elem(math.NaN())
	for name, s := range levels() {
		for n := 1; n < 40; n++ {
			x, y, dy := make([]Elem, n), make([]Elem, n), make([]Elem, n)
			for i := range x {
				x[i], dy[i] = [...]Elem{minus, 0, nan}[i%3], nan
			}
			s.relu(y, x)
			s.reluBackward(dy, x, dy)
			for i := range x {
				if wantNaN := i%3 == 2; isNaN(y[i]) != wantNaN || math.Signbit(float64(y[i])) && !wantNaN {
					t.Fatalf("%s: ReLU of %v is %v", name, x[i], y[i])
				}
				if dy[i] != 0 || math.Signbit(float64(dy[i])) {
					t.Fatalf("%s: the derivative at %v is %v", name, x[i], dy[i])
				}
			}
		}
	}
}
