package costs

import (
	"runtime"
	"strconv"
	"testing"

	"attnatlas/engine/attention"
)

// extremes are the choices of an option that make a mixer largest: all of its values, or the ends of its range.
func extremes(o attention.Option) []string {
	if len(o.Values) > 0 {
		return o.Values
	}
	from, to, _ := o.Bounds()
	return append([]string{o.Default, strconv.Itoa(from), strconv.Itoa(to)}, o.Examples...)
}

// TestCheckTakesNoMemory: what may be asked of strangers' addresses is learned from shapes alone, whatever the sizes
// and the options, also where the answer is that they are wrong.
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

// TestMostIsEnough: what is claimed for a measurement is at least what it takes.
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
