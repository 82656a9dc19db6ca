package exhibit_test

import (
	"slices"
	"testing"

	"attnatlas/engine/exhibit"
	"attnatlas/engine/figure"
	"attnatlas/engine/messages"
	"attnatlas/engine/tensor"
	"attnatlas/engine/trace"
)

// TestHistogram: each value of a map is counted once, in its bin, and quantiles are given. Words out of reach do
// not count.
func TestHistogram(t *testing.T) {
	histogram := func(value func(i int) float64, reach func(q, k int) bool) (exhibit.Histogram, bool) {
		m := pairs("weights", trace.Weight, 1)
		for i := range m.Value.Data {
			m.Value.Data[i] = tensor.Elem(value(i))
		}
		m.Reach = reach
		s := first(report(result("dense", []trace.Map{m})), figure.PerRow)
		return show(t, s, "dense", "").Histogram()
	}
	h, ok := histogram(func(i int) float64 { return float64(i % n) }, nil) // each of 0…n−1 occurs n times
	var want []int
	for i := range len(h.Counts) {
		count := 0
		for v := range n {
			if v*len(h.Counts)/(n-1) == i || v == n-1 && i == len(h.Counts)-1 {
				count += n
			}
		}
		want = append(want, count)
	}
	if !ok || h.Low != 0 || h.High != n-1 || !slices.Equal(h.Counts, want) {
		t.Errorf("%v: %v to %v in %v, want %v", ok, h.Low, h.High, h.Counts, want)
	}
	if says := h.Says.Args["median"]; says != messages.Number(float64((n-1)/2)) {
		t.Errorf("the median is %v", says)
	}
	h, ok = histogram(func(i int) float64 { return float64(i/n) - 1 }, func(q, k int) bool { return k == 0 })
	total := 0
	for _, count := range h.Counts {
		total += count
	}
	if !ok || h.Low != -1 || h.High != n-2 || total != n {
		t.Errorf("%v: %d values from %v to %v, want %d from -1 to %d", ok, total, h.Low, h.High, n, n-2)
	}
	if _, ok = histogram(func(int) float64 { return 0 }, nil); ok {
		t.Error("a map of zeros has a histogram")
	}
}
