package predict_test

import (
	"slices"
	"testing"

	"attnatlas/engine/predict"
	"attnatlas/engine/tokenizer"
)

// TestJudging: an answer is right if it has all words in reverse, the pieces of a word in order,
// and ends there.
func TestJudging(t *testing.T) {
	vocab := tokenizer.Default()
	text, _ := vocab.EncodePair("the recondite cat")
	source := vocab.EncodeIDs("the recondite cat")
	right := slices.Concat(source[len(source)-1:], source[1:len(source)-1], source[:1])
	judge := func(written ...int) *predict.Generation {
		return predict.NewGeneration(vocab, []string{"sort", "reverse"}, 1, text, written)
	}
	g := judge(append(slices.Clone(right), vocab.SEP())...)
	if !g.Right || g.Text != "cat recondite the" || g.AnswerText != g.Text || len(g.Answer) != len(source) {
		t.Errorf("%+v", g)
	}
	for i := range g.Steps {
		if !g.RightStep(i) {
			t.Errorf("step %d is called wrong", i)
		}
	}
	if judge(right...).Right {
		t.Error("an answer that did not end is called right")
	}
	wrong := append(slices.Clone(right), vocab.SEP())
	wrong[1] = right[0]
	if g := judge(wrong...); g.Right || g.RightStep(1) || !g.RightStep(0) || !g.RightStep(2) {
		t.Errorf("%+v", g)
	}
	short := judge(right[0], right[1], vocab.SEP())
	if short.Right || short.RightStep(2) {
		t.Error("an answer that ends too early is called right")
	}
	long := judge(append(slices.Clone(right), right[0], vocab.SEP())...)
	if n := len(right); long.Right || long.RightStep(n) || long.RightStep(n+1) {
		t.Error("an answer with a word too many is called right")
	}
}
