package engine

import (
	"context"
	"slices"
	"strings"
	"testing"

	"attnatlas/engine/tokenizer"
)

// TestJudging: right is what has all words in reverse, pieces of a word in their order,
// and ends there.
func TestJudging(t *testing.T) {
	v := tokenizer.Default()
	source := v.EncodeIDs("the recondite cat")
	right := append([]int{source[len(source)-1]}, source[1:len(source)-1]...)
	right = append(right, source[0])
	judge := func(written []int, stopped bool) *Written {
		w := &Written{Task: "reverse", Stopped: stopped}
		for _, id := range written {
			w.Steps = append(w.Steps, WriteStep{Piece: v.Piece(id)})
		}
		if stopped {
			w.Steps = append(w.Steps, WriteStep{Piece: "[SEP]"})
		}
		w.judge(v, source, written)
		return w
	}
	w := judge(right, true)
	if !w.Right || w.AnswerText != "cat recondite the" || len(w.Answer) != len(source) {
		t.Errorf("%+v", w)
	}
	for i := range w.Steps {
		if !w.RightStep(i) {
			t.Errorf("step %d is called wrong", i)
		}
	}
	if judge(right, false).Right {
		t.Error("an answer that did not end is called right")
	}
	wrong := slices.Clone(right)
	wrong[1] = right[0]
	if w := judge(wrong, true); w.Right || w.RightStep(1) || !w.RightStep(0) || !w.RightStep(2) {
		t.Errorf("%+v", w)
	}
	short := judge(right[:2], true)
	if short.Right || short.RightStep(2) {
		t.Error("an answer that ends too early is called right")
	}
	long := judge(append(slices.Clone(right), right[0]), true)
	if n := len(right); long.Right || long.RightStep(n) || long.RightStep(n+1) {
		t.Error("an answer with a word too many is called right")
	}
}

// TestShippedWriter: the model that is shipped, if there is one, reverses a plain sentence.
func TestShippedWriter(t *testing.T) {
	e := New()
	info, err := e.Info("encoder-decoder")
	if KindOf(err) == NotFound && err != nil {
		t.Skip(err)
	}
	w, err := e.Write(context.Background(), WriteRequest{Text: "the cat sat on the mat"})
	if err != nil || !w.Right || w.Text != "mat the on sat cat the" || !w.Stopped {
		t.Fatalf("%v: %+v", err, w)
	}
	if info.Score["reverse"] < 0.5 || !strings.HasPrefix(strings.Join(w.Answer, " "), "mat the") {
		t.Errorf("%+v", info)
	}
}
