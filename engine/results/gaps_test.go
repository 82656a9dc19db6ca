package results

import (
	"testing"

	"attnatlas/engine/checkpoint"
	"attnatlas/engine/gaps"
	"attnatlas/engine/tokenizer"
)

// TestGapScores: a list with the predictions of a bundled model as answers scores 1, and a list
// with answers that it never predicts scores 0. The next-token model predicts from the text before
// the gap.
func TestGapScores(t *testing.T) {
	vocab := tokenizer.Default()
	for _, id := range []string{"dot-product", "gpt2"} {
		r, err := Shipped()
		if err != nil {
			t.Fatal(err)
		}
		r.Models = []ModelResults{*r.Find(id)}
		for list, want := range map[string]float64{"How are [MASK]?\tyou": 1, "How are [MASK]?\tumbrella": 0} {
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
