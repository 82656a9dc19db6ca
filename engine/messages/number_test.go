package messages

import (
	"math"
	"strings"
	"testing"
)

// TestGrouped: whole numbers, including the smallest, have narrow spaces between thousands.
func TestGrouped(t *testing.T) {
	for n, want := range map[int]string{
		0: "0", -7: "−7", 1234: "1234", -1234: "−1234", 12345: "12 345", -1234567: "−1 234 567",
		math.MinInt32: "−2 147 483 648",
	} {
		if got := Grouped(n); got != strings.ReplaceAll(want, " ", "\u202f") {
			t.Errorf("%d is %q", n, got)
		}
	}
	if smallest := Grouped(math.MinInt); !strings.HasSuffix(smallest, "8") || !strings.HasPrefix(smallest, "−") {
		t.Error(smallest)
	}
}

func TestNumber(t *testing.T) {
	for v, want := range map[float64]string{
		0: "0", 1: "1", 0.62134: "0.621", 0.0143: "0.0143", 0.00094: "9.40·10⁻⁴", 2.1e-7: "2.10·10⁻⁷", -0.5: "−0.500",
		12.345: "12.3", 99499: "99499", 123456: "1.23·10⁵",
	} {
		if got := Number(v); got != want {
			t.Errorf("Number(%v) = %q, want %q", v, got, want)
		}
	}
}
