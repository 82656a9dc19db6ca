package attention_test

import (
	"math"
	"testing"

	"attnatlas/engine/attention"
	"attnatlas/engine/metrics"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
	"attnatlas/engine/trace"
)

// TestMaskedInfluenceIsZero: what a mask forbids to read has an influence of exactly 0, for
// every mechanism, choice and mask, and what it permits has some.
func TestMaskedInfluenceIsZero(t *testing.T) {
	forAll(t, 1, 6, func(t *testing.T, s subject, mask nn.Mask) {
		influence := metrics.Influence(s.mixer, s.x, mask)
		others := 0.0 // of other words
		for q := range 6 {
			for k := range 6 {
				v := float64(influence.At(q, k))
				switch {
				case math.IsNaN(v):
					t.Fatalf("the influence of %d on %d is not a number", k, q)
				case mask.Kind == nn.Causal && k > q && v != 0:
					t.Errorf("with a causal mask, position %d has an influence of %v on %d before it", k, v, q)
				case q != k && !mask.Allows(0, q, k) && v != 0:
					t.Errorf("position %d may not read %d, whose influence is %v", q, k, v)
				case q != k:
					others += v
				}
			}
		}
		if others == 0 {
			t.Error("no word has influence on another")
		}
	})
}

// TestRefusedMasksAreExplained: where a mask is not defined there is a sentence that says
// why, and without it the later words indeed have influence.
func TestRefusedMasksAreExplained(t *testing.T) {
	for _, e := range attention.Catalog {
		for _, reason := range []string{e.Masks.NoCausal, e.Masks.NoPadding, e.Masks.NoPairs} {
			if reason != "" && (len(reason) < 40 || reason[len(reason)-1] != '.') {
				t.Errorf("%s: %q is not a sentence that explains", e.ID, reason)
			}
		}
		if e.Masks.NoCausal == "" {
			continue
		}
		s := newSubject(t, e, small, 1, 6)
		if v := metrics.Influence(s.mixer, s.x, nn.Mask{}).At(0, 5); v == 0 {
			t.Errorf("%s is not defined with a causal mask, yet the last word has no influence on the first", e.ID)
		}
	}
}

// rule says whether row q of a map may be so when q has nothing to read.
type rule func(q int, row []tensor.Elem) bool

// alike reads every position alike, 1/N each: nn.Masked.
func alike(_ int, row []tensor.Elem) bool {
	for _, v := range row {
		if math.Abs(float64(v)*float64(len(row))-1) > 1e-5 {
			return false
		}
	}
	return true
}

func zeros(_ int, row []tensor.Elem) bool {
	for _, v := range row {
		if v != 0 {
			return false
		}
	}
	return true
}

// itself reads the word itself.
func itself(q int, row []tensor.Elem) bool { return row[q] == 1 }

// TestFullyMaskedRows: a word that has nothing to read has the result that nn.Masked
// documents, or the one that the mechanism's comment documents instead.
func TestFullyMaskedRows(t *testing.T) {
	const n = 5
	padding := map[string]rule{
		"longformer": zeros,  // a padded word reads nothing
		"linear":     zeros,  // φ of padding is 0
		"linformer":  zeros,  // padded positions are set to 0
		"reformer":   itself, // −10⁵ for itself is more than what is forbidden
	}
	pairs := map[string]rule{"reformer": itself}
	noMap := map[string]bool{"fastformer": true, "shuffle-exchange": true, "residual-shuffle-exchange": true} // the main map is not of weights
	check := func(e attention.Entry, mask nn.Mask, rows []int, expected rule) {
		s := newSubject(t, e, small, 1, n)
		_, run := s.run(mask, s.x, true)
		m, ok := run.Find(e.Views[0].Map)
		if !ok || len(m.Axes) != 3 || m.Axes[2].Role != trace.Key {
			t.Fatalf("%s: the main map is %v", e.ID, m.Roles())
		}
		for h := range m.Value.Dim(0) {
			for _, q := range rows {
				if row := m.Value.Sub(h).Data[q*n:][:n]; !expected(q, row) {
					t.Errorf("%s: with nothing to read, row %d of head %d is %v", e.ID, q, h, row)
				}
			}
		}
	}
	pick := func(rules map[string]rule, id string) rule {
		if r, ok := rules[id]; ok {
			return r
		}
		return alike
	}
	for _, e := range attention.Catalog {
		if noMap[e.ID] {
			continue
		}
		if e.Masks.NoPadding == "" {
			check(e, nn.Mask{Keys: make([]bool, n), N: n}, []int{0, 1, 2, 3, 4}, pick(padding, e.ID))
		}
		if e.Masks.NoPairs == "" {
			visible := make([]bool, n*n)
			for i := range visible {
				visible[i] = i/n != 2
			}
			check(e, nn.Mask{Pairs: visible, N: n}, []int{2}, pick(pairs, e.ID))
		}
	}
}
