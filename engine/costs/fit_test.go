package costs

import (
	"math"
	"testing"
)

func TestSlope(t *testing.T) {
	lengths := []int{256, 512, 1024, 4096, 16384}
	for _, g := range []float64{0, 1, 1.25, 2} {
		times := make([]float64, len(lengths))
		for i, n := range lengths {
			times[i] = 3e-9 * math.Pow(float64(n), g)
		}
		if got := Slope(lengths, times); math.Abs(got-g) > 1e-9 {
			t.Errorf("slope %v of times that grow with exponent %v", got, g)
		}
		times[2] *= 1.1 // one disturbed time has little effect
		if got := Slope(lengths, times); got == g || math.Abs(got-g) > 0.02 {
			t.Errorf("slope %v of disturbed times that grow with exponent %v", got, g)
		}
	}
}
