package components

import (
	"strings"
	"testing"
)

// TestTicksHaveRoom: overlapping labels are left out, except the ends and the middle, and no label
// extends beyond the bar.
func TestTicksHaveRoom(t *testing.T) {
	for _, c := range []struct {
		ticks []Tick
		want  string
	}{
		{nil, ""},
		{[]Tick{{0, "0"}}, "0"},
		{[]Tick{{0, "≤ 1/16"}, {0.25, "1/4"}, {0.5, "1"}, {0.75, "4"}, {1, "≥ 16"}}, "≤ 1/16 1/4 1 4 ≥ 16"},
		{[]Tick{{0, "−0.24"}, {0.083, "−0.2"}, {0.29, "−0.1"}, {0.5, "0"}, {0.71, "0.1"}, {0.917, "0.2"}, {1, "0.24"}},
			"−0.24 −0.1 0 0.1 0.24"},
		{[]Tick{{0, "0"}, {0.2, "0.0005"}, {0.4, "0.0010"}, {0.6, "0.0015"}, {0.8, "0.0020"}, {1, "0.0025"}},
			"0 0.0005 0.0015 0.0025"},
		{[]Tick{{0.01, "10⁻⁴"}, {0.26, "0.001"}, {0.5, "0.01"}, {0.75, "0.1"}, {1, "1"}}, "10⁻⁴ 0.001 0.01 0.1 1"},
	} {
		var got []string
		for _, tick := range (Legend{Ticks: c.ticks}).labelled() {
			got = append(got, tick.Label)
			if from, to := tick.span(); from < 0 || to > narrowest {
				t.Errorf("%s stands from %v to %v", tick.Label, from, to)
			}
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}
