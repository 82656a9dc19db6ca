package attention_test

import (
	"math"
	"testing"

	"attnatlas/engine/ad"
	"attnatlas/engine/attention"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
	"attnatlas/engine/trace"
)

// TestTermsAddUpToTheScores: if a score is a sum, the maps of its terms add up to the map of the
// scores.
func TestTermsAddUpToTheScores(t *testing.T) {
	tried := 0
	forAll(t, 1, 6, func(t *testing.T, s subject, mask nn.Mask) {
		if s.entry.Terms == nil {
			return
		}
		tried++
		_, run := s.run(mask, s.x, true)
		scores, ok := run.Find("scores")
		if !ok {
			t.Fatal("no map of scores")
		}
		sum, size := make([]float64, scores.Value.Len()), make([]float64, scores.Value.Len())
		for _, name := range s.entry.Terms {
			term, ok := run.Find(name)
			if !ok {
				t.Fatalf("no map %s", name)
			}
			for i := range sum { // a term that all sequences share has no batch axis
				v := float64(term.Value.Data[i%term.Value.Len()])
				sum[i], size[i] = sum[i]+v, size[i]+math.Abs(v)
			}
		}
		for i, want := range scores.Value.Data {
			if math.Abs(sum[i]-float64(want)) > 1e-6*max(1, size[i]) {
				t.Fatalf("cell %d: the terms sum to %v, the score is %v", i, sum[i], want)
			}
		}
	})
	if tried == 0 {
		t.Error("no score is a sum")
	}
}

// oneHot returns values in which word j has 1 in feature j of every head, and 0 elsewhere; N = d_h.
func oneHot(like *tensor.T, heads int) *tensor.T {
	v := tensor.New(like.Shape...)
	n, d := like.Dim(-2), like.Dim(-1)
	for i := range v.Data {
		if i%(d/heads) == i/d%n {
			v.Data[i] = 1
		}
	}
	return v
}

// TestShownMapIsTheAnswerToOneHotValues checks the definition of an implied map. If a mixer is
// linear in its values, one-hot values give exactly the rows of its main map. The map multiplied by
// the real values gives the mixed values.
func TestShownMapIsTheAnswerToOneHotValues(t *testing.T) {
	c := small // d_h is 4
	tried := map[string]bool{}
	forVariants(t, c, func(t *testing.T, e attention.Entry, c attention.Config) {
		if !e.NoSum.IsZero() || c.Options["mix"] == "outputs" { // its components have separate values, as its page says
			return
		}
		n := c.HeadWidth()
		s := newSubject(t, e, c, 1, n)
		for name, mask := range s.masks() {
			if mask.Keys != nil { // rows of padding have no meaning
				continue
			}
			shown := mapOf(t, s, mask, nil)
			var values *tensor.T
			sets := 0
			answer := mapOf(t, s, mask, func(v *ad.Var) *ad.Var {
				if v.Dim(-1) != c.Width || c.Options["order"] == "compress-first" {
					return v // not values of heads: the words themselves, or one head that all share
				}
				values, sets = v.Value.Clone(), sets+1
				return v.Tape().Const(oneHot(v.Value, c.Heads))
			})
			if values == nil {
				continue
			}
			tried[e.ID] = true
			checkAnswer(t, name, shown, answer, c)
			if sets == 1 { // otherwise rows use different values
				checkMixed(t, name, shown, values, c)
			}
		}
	})
	for _, e := range attention.Catalog {
		if e.NoSum.IsZero() && !tried[e.ID] {
			t.Errorf("%s sums values, and was not asked", e.ID)
		}
	}
}

// shownAndMixed holds the main map of a pass and its result before the output projection.
type shownAndMixed struct{ a, mixed *tensor.T }

func mapOf(t *testing.T, s subject, mask nn.Mask, values func(*ad.Var) *ad.Var) (r shownAndMixed) {
	t.Helper()
	p := nn.NewPass(ad.NewFrozen())
	p.Mask, p.OnValues, p.Run = mask, values, &trace.Run{}
	s.mixer.Mix(p, p.Tape.Const(s.x))
	a, ok := p.Run.Find(s.entry.Views[0].Map)
	mixed, same := p.Run.Find("mixed")
	if !ok || !same {
		t.Fatalf("%s: a map %v, what was mixed %v", s.entry.ID, ok, same)
	}
	return shownAndMixed{a.Value.Clone(), mixed.Value.Clone()}
}

// checkAnswer compares the result for one-hot values [N,H·N] with the map [H,N,N].
func checkAnswer(t *testing.T, name string, shown, answer shownAndMixed, c attention.Config) {
	t.Helper()
	n := c.HeadWidth()
	for i, got := range answer.mixed.Data {
		row, h, col := i/c.Width, i%c.Width/n, i%n
		if want := shown.a.Data[(h*n+row)*n+col]; math.Abs(float64(got-want)) > 1e-6 {
			t.Fatalf("%s: head %d, row %d, column %d: %v of one-hot values, the map shows %v", name, h+1, row, col, got, want)
		}
	}
}

// checkMixed compares map·V with the mixed values.
func checkMixed(t *testing.T, name string, shown shownAndMixed, v *tensor.T, c attention.Config) {
	t.Helper()
	n, width := v.Dim(-2), c.HeadWidth()
	for i, got := range shown.mixed.Data {
		row, h, f := i/c.Width, i%c.Width/width, i%c.Width
		sum, size := 0.0, 0.0
		for j := range n {
			term := float64(shown.a.Data[(h*n+row)*n+j]) * float64(v.Data[j*c.Width+f])
			sum, size = sum+term, size+math.Abs(term)
		}
		if math.Abs(sum-float64(got)) > 2e-6*max(1, size) {
			t.Fatalf("%s: feature %d of word %d: map·V is %v, mixed was %v", name, f, row, sum, got)
		}
	}
}
