package formula_test

import (
	"testing"

	"attnatlas/engine/formula"
)

func TestValue(t *testing.T) {
	symbols := map[string]float64{"N": 5, "d": 3, "H": 2, "d_h": 7, "w₁": 4, "m": 3}
	for s, want := range map[string]float64{
		"4d² + 4d": 48, "2(d − 1)H + 1": 9, "⌈N/d⌉": 2, "min(N, d)": 3, "Ndd_h": 105, "2ᵐd": 24, "w₁ + N": 9,
		"16(2mH + 1)2ᵐd²": 16 * 13 * 8 * 9,
	} {
		if got, err := formula.Value(s, symbols); got != want || err != nil {
			t.Errorf("%s = %v, %v, want %v", s, got, err, want)
		}
	}
	for _, s := range []string{"", "2 +", "x", "(2", "min(2)", "2)", "⌈2", "d ^ 2"} {
		if got, err := formula.Value(s, symbols); err == nil {
			t.Errorf("%q = %v", s, got)
		}
	}
}
