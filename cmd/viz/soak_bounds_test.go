package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"
)

// soakSamples is the number of memory readings in a soak; half of them are in its second half.
const soakSamples = 600

// soakFigures are the measurements of a soak, or their upper bounds.
type soakFigures struct {
	wall            time.Duration  // time within which 99 of 100 walls came
	refused         map[string]int // answers 503 to light requests, by kind; none is allowed
	resident, peak  int64          // bytes, at the end and at most
	rise            int64          // bytes over the last half of the soak; small if memory is flat
	files, routines int            // open ones that were not open before
}

// soakAllows holds the bounds for two quiet cores.
var soakAllows = soakFigures{wall: 500 * time.Millisecond, resident: 500 << 20, peak: 650 << 20, rise: 40 << 20,
	files: 8, routines: 12}

// broken returns the figures that exceed their bounds.
func (allowed soakFigures) broken(f soakFigures) (all []string) {
	check := func(is bool, format string, args ...any) {
		if is {
			all = append(all, fmt.Sprintf(format, args...))
		}
	}
	check(f.wall > allowed.wall, "walls: p99 is %v, at most %v is allowed on two quiet cores", f.wall, allowed.wall)
	for _, kind := range slices.Sorted(maps.Keys(f.refused)) {
		check(f.refused[kind] > allowed.refused[kind],
			"%s: %d answers are 503, though it is not heavy; at most %d are allowed",
			kind, f.refused[kind], allowed.refused[kind])
	}
	check(f.resident > allowed.resident, "resident memory afterwards is %d MB, at most %d MB is allowed", f.resident>>20,
		allowed.resident>>20)
	check(f.peak > allowed.peak, "the peak of resident memory is %d MB, at most %d MB is allowed", f.peak>>20,
		allowed.peak>>20)
	check(f.rise > allowed.rise, "resident memory is not flat: it rises by %d MB over the last half, at most %d MB is allowed", f.rise>>20, allowed.rise>>20)
	check(f.files > allowed.files, "%d more files are open than before, at most %d are allowed", f.files, allowed.files)
	check(f.routines > allowed.routines, "%d more goroutines run than before, at most %d are allowed", f.routines,
		allowed.routines)
	return all
}

// rise returns by how many bytes memory rises over the last half of samples taken at equal intervals. It fits a line
// by least squares, so that a single high sample does not count, and the swings of the garbage collector hide no
// steady rise.
func rise(samples []int64) int64 {
	half := samples[len(samples)/2:]
	n := float64(len(half))
	var products, squares float64
	for i, bytes := range half {
		x := float64(i) - (n-1)/2
		products += x * float64(bytes)
		squares += x * x
	}
	if squares == 0 {
		return 0
	}
	return int64(products / squares * (n - 1))
}

// TestSoakBounds: each figure above its bound is named with both numbers, and a figure at its bound is not.
func TestSoakBounds(t *testing.T) {
	if broken := soakAllows.broken(soakAllows); broken != nil {
		t.Errorf("at the bounds: %q", broken)
	}
	above := soakFigures{
		wall: 501 * time.Millisecond, refused: map[string]int{"wall": 2, "list": 1}, resident: 501 << 20, peak: 651 << 20,
		rise: 41 << 20, files: 9, routines: 13,
	}
	want := []string{"501ms 500ms", "list 1 0", "wall 2 0", "501 500", "651 650", "41 40", "9 8", "13 12"}
	broken := soakAllows.broken(above)
	if len(broken) != len(want) {
		t.Fatalf("%d figures are above their bounds, of which are said %q", len(want), broken)
	}
	for i, said := range broken {
		for _, part := range strings.Fields(want[i]) {
			if !strings.Contains(said, part) {
				t.Errorf("%q does not say %s", said, part)
			}
		}
	}
}

// TestRise: the line of least squares finds a steady rise under swings, and none in swings alone.
func TestRise(t *testing.T) {
	swing := func(i int) int64 { return int64(i%7-3) * 10 << 20 }
	var flat, rising, warming []int64
	for i := range int64(soakSamples) {
		flat = append(flat, 400<<20+swing(int(i)))
		rising = append(rising, flat[i]+i<<20/5)
		warming = append(warming, flat[i]+min(i, soakSamples/2)<<20)
	}
	for name, c := range map[string]struct {
		samples  []int64
		from, to int64 // MB
	}{"flat": {flat, -2, 2}, "rising": {rising, 58, 62}, "warming up": {warming, -2, 2}, "one": {[]int64{1 << 30}, 0, 0},
		"none": {nil, 0, 0}} {
		if got := rise(c.samples) >> 20; got < c.from || got > c.to {
			t.Errorf("%s: a rise of %d MB, want %d to %d", name, got, c.from, c.to)
		}
	}
}
