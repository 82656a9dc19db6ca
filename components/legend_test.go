package components_test

import (
	"strconv"
	"strings"
	"testing"

	"attnatlas/components"

	"golang.org/x/net/html"
)

// narrowest is the width in CSS pixels of the narrowest colour bar, as in legend.go.
const narrowest = 212

// tickSpan returns the extent of a rendered label under the narrowest bar.
func tickSpan(t *testing.T, label *html.Node) (from, to float64) {
	t.Helper()
	width := 0.0
	for _, r := range textOf(label) {
		if strings.ContainsRune(" ./·⁻⁰¹²³⁴⁵⁶⁷⁸⁹", r) {
			width += 4.8
		} else {
			width += 7.5
		}
	}
	place, err := strconv.ParseFloat(strings.TrimSuffix(attr(label, "x"), "%"), 64)
	if err != nil {
		t.Fatal(err)
	}
	at := place / 100 * narrowest
	switch anchor := attr(label, "text-anchor"); anchor {
	case "start":
		return at, at + width
	case "middle":
		return at - width/2, at + width/2
	case "end":
		return at - width, at
	default:
		t.Fatalf("text-anchor %q", anchor)
		return 0, 0
	}
}

// TestTicksHaveRoom: overlapping labels are left out, except the ends and the middle, and no label
// extends beyond the bar.
func TestTicksHaveRoom(t *testing.T) {
	for _, c := range []struct {
		places []float64
		labels []string
		want   string
	}{
		{nil, nil, ""},
		{[]float64{0}, []string{"0"}, "0"},
		{[]float64{0, 0.25, 0.5, 0.75, 1}, []string{"≤ 1/16", "1/4", "1", "4", "≥ 16"}, "≤ 1/16 1/4 1 4 ≥ 16"},
		{[]float64{0, 0.083, 0.29, 0.5, 0.71, 0.917, 1}, []string{"−0.24", "−0.2", "−0.1", "0", "0.1", "0.2", "0.24"},
			"−0.24 −0.1 0 0.1 0.24"},
		{[]float64{0, 0.2, 0.4, 0.6, 0.8, 1}, []string{"0", "0.0005", "0.0010", "0.0015", "0.0020", "0.0025"},
			"0 0.0005 0.0015 0.0025"},
		{[]float64{0.01, 0.26, 0.5, 0.75, 1}, []string{"10⁻⁴", "0.001", "0.01", "0.1", "1"}, "10⁻⁴ 0.001 0.01 0.1 1"},
	} {
		var l components.Legend
		for i, label := range c.labels {
			l.Ticks = append(l.Ticks, components.Tick{Place: c.places[i], Label: label})
		}
		root, _ := parsed(t, components.LegendBar(l))
		var got []string
		for _, label := range elements(root, "text") {
			got = append(got, textOf(label))
			if from, to := tickSpan(t, label); from < 0 || to > narrowest {
				t.Errorf("%s stands from %v to %v", textOf(label), from, to)
			}
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}
