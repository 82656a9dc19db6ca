package attention_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"attnatlas/engine/attention"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
)

// TestPerPosition: for all options, a mechanism is endless exactly if its parameters do not depend
// on the number of positions.
func TestPerPosition(t *testing.T) {
	shapes := func(e attention.Entry, c attention.Config) string {
		s := nn.NewScope(1)
		if _, err := e.New(s, c); err != nil {
			return ""
		}
		all := ""
		for _, p := range s.Params() {
			all += fmt.Sprintln(p.Name, p.Value.Shape)
		}
		return all
	}
	forVariants(t, small, func(t *testing.T, e attention.Entry, c attention.Config) {
		longer := c
		longer.Length *= 2
		own, other := shapes(e, c), shapes(e, longer)
		if own == "" || other == "" {
			t.Skip("refused")
		}
		if e.Endless(c) != (own == other) {
			t.Errorf("endless: %v; parameters for %d and %d positions alike: %v", e.Endless(c), c.Length, longer.Length,
				own == other)
		}
	})
}

// TestEndless: texts longer than c.Length are mixed as by a mixer that was made for their length.
func TestEndless(t *testing.T) {
	for _, e := range attention.Catalog {
		if !e.Endless(small) {
			continue
		}
		for _, n := range []int{1, 2, 63, 64, 65, 255, 256, 257} {
			c := small
			s := newSubject(t, e, c, 1, n)
			c.Length = n
			other := newSubject(t, e, c, 1, n)
			got, maps := s.run(nn.Mask{}, s.x, true)
			want, others := other.run(nn.Mask{}, s.x, true)
			if !slices.Equal(got.Data, want.Data) {
				t.Errorf("%s: %d tokens differ by %g", e.ID, n, maxDiff(got.Data, want.Data))
			}
			for i, m := range maps.Steps {
				if !slices.Equal(m.Value.Data, others.Steps[i].Value.Data) ||
					slices.ContainsFunc(m.Value.Data, func(v tensor.Elem) bool { return math.IsNaN(float64(v)) }) {
					t.Errorf("%s: the maps %q of %d tokens differ", e.ID, m.Name, n)
				}
			}
		}
	}
}
