package costs

import (
	"runtime"
	"strconv"
	"testing"

	"attnatlas/engine/attention"
)

// extremes returns the values of an option that make a mixer largest: all of its values, or the
// ends of its range.
func extremes(o attention.Option) []string {
	if len(o.Values) > 0 {
		return o.Values
	}
	from, to, _ := o.Bounds()
	return append([]string{o.Default, strconv.Itoa(from), strconv.Itoa(to)}, o.Examples...)
}

// TestCheckTakesNoMemory: Check uses only shapes, whatever the sizes and options in a URL are, even
// if they are invalid.
func TestCheckTakesNoMemory(t *testing.T) {
	const most = 2 << 20
	largest := Sizes{Length: MostLength, Width: MostWidth, Heads: MostHeads, Positions: MostLength}
	check := func(e *attention.Entry, options map[string]string) {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		err := Check(e, largest, options)
		runtime.ReadMemStats(&after)
		if took := after.TotalAlloc - before.TotalAlloc; took > most {
			t.Errorf("%s %v (%v): %d bytes are allocated, want at most %d", e.ID, options, err, took, most)
		}
	}
	for i := range attention.Catalog {
		e := &attention.Catalog[i]
		check(e, nil)
		for _, o := range e.Options {
			for _, value := range extremes(o) {
				check(e, map[string]string{o.Name: value})
			}
		}
	}
}

// TestMostIsEnough: the memory claimed for a measurement is at least the memory that it uses.
func TestMostIsEnough(t *testing.T) {
	l := Usual()
	l.List, l.Sample = []int{64, 512}, 0
	steps, _ := l.Steps()
	for _, s := range steps {
		p, err := s.Measure(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if took := int64(p.Bytes + p.Parameters); took > s.Most() {
			t.Errorf("%s at %d: takes %d bytes, claims %d", s.Mechanism, s.Length, took, s.Most())
		}
	}
}
