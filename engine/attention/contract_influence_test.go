package attention_test

import (
	"math"
	"slices"
	"testing"

	"attnatlas/engine/attention"
	"attnatlas/engine/messages"
	"attnatlas/engine/metrics"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
	"attnatlas/engine/trace"
)

// TestMaskedInfluenceIsZero: for every mechanism, option and mask, hidden pairs have an influence
// of exactly 0, and visible pairs have some influence.
func TestMaskedInfluenceIsZero(t *testing.T) {
	forAll(t, 1, 6, func(t *testing.T, s subject, mask nn.Mask) {
		influence := metrics.Influence(s.mixer, s.x, mask)
		others := 0.0 // influence of other words
		for q := range 6 {
			for k := range 6 {
				v := float64(influence.At(q, k))
				switch {
				case math.IsNaN(v):
					t.Fatalf("the influence of %d on %d is not a number", k, q)
				case mask.Kind == nn.Causal && k > q && v != 0:
					t.Errorf("with a causal mask, position %d has an influence of %v on %d before it", k, v, q)
				case q != k && !s.reads(mask, q, k) && v != 0:
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

// hidden hides the Jacobian of a mixer.
type hidden struct{ attention.Mixer }

// TestJacobians: the Jacobian that a mixer returns is correct, for every mechanism, option and
// mask.
func TestJacobians(t *testing.T) {
	forAll(t, 1, 6, func(t *testing.T, s subject, mask nn.Mask) {
		got, want := metrics.Influence(s.mixer, s.x, mask), metrics.Influence(hidden{s.mixer}, s.x, mask)
		top := 0.0
		for _, v := range want.Data {
			top = max(top, float64(v))
		}
		if diff := maxDiff(got.Data, want.Data); diff > 1e-5*top {
			t.Errorf("the influence is off by %v of %v", diff, top)
		}
	})
}

// TestWhoKnowsItsJacobian: NoJacobian of an entry is correct.
func TestWhoKnowsItsJacobian(t *testing.T) {
	for _, e := range attention.Catalog {
		s := newSubject(t, e, small, 1, 6)
		m, known := s.mixer.(attention.Differentiable)
		if known = known && m.Jacobian(s.x, nn.Mask{}) != nil; known == e.NoJacobian {
			t.Errorf("%s: its Jacobian is known: %v; its entry says that it is not: %v", e.ID, known, e.NoJacobian)
		}
	}
}

// TestRefusedMasksAreExplained: if a mask is not defined, a sentence gives the reason. Without the
// mask, later words have influence.
func TestRefusedMasksAreExplained(t *testing.T) {
	for _, e := range attention.Catalog {
		for _, m := range []messages.Message{e.Masks.NoCausal, e.Masks.NoPadding, e.Masks.NoPairs} {
			if reason := m.String(); reason != "" && (len(reason) < 40 || reason[len(reason)-1] != '.') {
				t.Errorf("%s: %q is not a sentence that explains", e.ID, reason)
			}
		}
		if e.Masks.NoCausal.IsZero() {
			continue
		}
		s := newSubject(t, e, small, 1, 6)
		if v := metrics.Influence(s.mixer, s.x, nn.Mask{}).At(0, 5); v == 0 {
			t.Errorf("%s is not defined with a causal mask, yet the last word has no influence on the first", e.ID)
		}
	}
}

// row returns the weight of word k in row q of the main map if q can attend to nothing. It is nil
// if the entry describes only the output.
var row = map[attention.EmptyResult]func(q, k int) float64{
	attention.UniformRow:  func(_, _ int) float64 { return 1. / masked },
	attention.ZeroRow:     func(_, _ int) float64 { return 0 },
	attention.SelfRow:     func(q, k int) float64 { return float64(max(1-max(q-k, k-q), 0)) },
	attention.UnmaskedRow: nil,
	attention.ZeroInput:   nil,
}

const (
	masked = 5 // number of words in a text in which some can attend to nothing
	// Adding −10⁴ to a score reduces its precision to about 10⁻³.
	penaltyTolerance = 5e-3
)

// TestFullyMaskedRows: a word that can attend to nothing gets the result that the entry describes.
func TestFullyMaskedRows(t *testing.T) {
	some := pairs(masked, func(q, _ int) bool { return q != 2 && q != 3 })
	for _, e := range attention.Catalog {
		empty := e.Masks.EmptyRow
		if text := empty.Text.String(); len(text) < 40 || text[len(text)-1] != '.' {
			t.Errorf("%s: %q is not a sentence that says what a word with nothing to read gets", e.ID, text)
		}
		for _, c := range []struct {
			mask      nn.Mask
			rows      []int
			gets      attention.EmptyResult
			undefined messages.Message
		}{
			{nn.Mask{Keys: make([]bool, masked), N: masked}, []int{0, 1, 2, 3, 4}, empty.Padding, e.Masks.NoPadding},
			{some, []int{2, 3}, empty.Pairs, e.Masks.NoPairs},
		} {
			if _, known := row[c.gets]; known != c.undefined.IsZero() {
				t.Errorf("%s: with nothing to read a word gets %q; the reason why not: %q", e.ID, c.gets, c.undefined.String())
			}
			if c.undefined.IsZero() {
				t.Run(e.ID, func(t *testing.T) { newSubject(t, e, small, 1, masked).gets(t, c.gets, c.mask, c.rows) })
			}
		}
	}
}

// gets checks that the words in rows, which can attend to nothing under the mask, get the given
// result.
func (s subject) gets(t *testing.T, result attention.EmptyResult, mask nn.Mask, rows []int) {
	y, run := s.run(mask, s.x, true)
	if want := row[result]; want != nil {
		m, ok := run.Find(s.entry.Views[0].Map)
		if last := len(m.Axes) - 1; !ok || last < 1 || m.Axes[last-1].Role != trace.Query || m.Axes[last].Role != trace.Key {
			t.Fatalf("the axes of the main map are %v; its last two must be query and key", m.Roles())
		}
		for i, v := range m.Value.Data { // head after head, or a single matrix
			h, q, k := i/(masked*masked), i/masked%masked, i%masked
			if slices.Contains(rows, q) && math.Abs(float64(v)-want(q, k)) > 1e-5 {
				t.Errorf("head %d: word %d, which has nothing to read, reads %d with %v", h, q, k, v)
			}
		}
	}
	d := s.x.Dim(-1)
	for _, q := range rows {
		got, want, tolerance := y.Data[q*d:][:d], y.Data[q*d:][:d], tightTolerance
		like := func(mask nn.Mask, x *tensor.T) {
			other, _ := s.run(mask, x, false)
			want = other.Data[q*d:][:d]
		}
		switch result {
		case attention.UniformRow: // all outputs are the mean of the same values
			want = y.Data[rows[0]*d:][:d]
		case attention.ZeroRow:
			like(mask, reversed(s.x))
		case attention.SelfRow:
			other := reversed(s.x)
			copy(other.Data[q*d:][:d], s.x.Data[q*d:])
			like(mask, other)
		case attention.UnmaskedRow:
			like(nn.Mask{}, s.x)
			tolerance = penaltyTolerance
		case attention.ZeroInput:
			like(nn.Mask{}, tensor.New(s.x.Shape...))
		}
		if diff := maxDiff(got, want); diff > tolerance {
			t.Errorf("with nothing to read, the result of word %d is not %q: it differs by %g", q, result, diff)
		}
	}
}
