package messages

import "testing"

func TestNumber(t *testing.T) {
	for v, want := range map[float64]string{
		0: "0", 1: "1", 0.62134: "0.621", 0.0143: "0.0143", 0.00094: "9.40·10⁻⁴", 2.1e-7: "2.10·10⁻⁷", -0.5: "−0.500", 12.345: "12.3", 99499: "99499", 123456: "1.23·10⁵",
	} {
		if got := Number(v); got != want {
			t.Errorf("Number(%v) = %q, want %q", v, got, want)
		}
	}
}
