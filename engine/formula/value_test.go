package formula_test

import (
	"strings"
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
	for s, want := range map[string]string{
		"": "ends too early", "2 +": "ends too early", "x": "known symbol", "(2": ") is missing", "min(2)": ", is missing",
		"2)": `“)” closes no bracket`, "⌈2": "⌉ is missing", "d ^ 2": `“^2” must begin with`,
	} {
		if got, err := formula.Value(s, symbols); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q = %v, %v, want an error with %q", s, got, err, want)
		}
	}
}
