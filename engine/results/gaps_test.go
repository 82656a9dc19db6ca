package results

import (
	"testing"

	"attnatlas/engine/checkpoint"
	"attnatlas/engine/gaps"
	"attnatlas/engine/tokenizer"
)

// TestGapScores: a list whose answers are what a shipped model guesses is filled without fault,
// and one that accepts only what it never guesses is not filled at all; the model of next words
// guesses from what stands before.
func TestGapScores(t *testing.T) {
	vocab := tokenizer.Default()
	for _, id := range []string{"dot-product", "gpt2"} {
		r, err := Shipped()
		if err != nil {
			t.Fatal(err)
		}
		r.Models = []ModelResults{*r.Find(id)}
		for list, want := range map[string]float64{"How are [MASK]\tyou": 1, "How are [MASK]\tumbrella": 0} {
			all, err := gaps.Parse(list)
			if err != nil {
				t.Fatal(err)
			}
			if err := (GapTest{list, all, vocab}).Measure(t.Context(), checkpoint.Folder(), &r); err != nil {
				t.Fatal(err)
			}
			if got := r.Models[0].Gaps[list]; got != (GapScore{1, want, want}) {
				t.Errorf("%s, %q: %+v", id, list, got)
			}
		}
	}
	if n := (GapTest{Gaps: []gaps.Gap{{Words: []string{"xyzzyx"}}, {Words: []string{"xyzzyx", "door"}}},
		Vocab: vocab}).Unreachable(); n != 1 {
		t.Errorf("%d sentences are out of reach, want 1", n)
	}
}
