package engine

import (
	"strings"
	"testing"

	"attnatlas/engine/nn"
)

// glued spells every token as a letter, like a model that never begins another word.
type glued struct{ Writer }

func (glued) Decode(ids []int) string { return strings.Repeat("x", len(ids)) }
func (glued) Ends() []int             { return nil }

// TestWordsHaveFewPieces: a model that never ends a word writes at most MostWordPieces tokens for each word, for
// which memory was claimed.
func TestWordsHaveFewPieces(t *testing.T) {
	const words = 3
	e := New()
	w, c, err := e.writing("gpt2", Continue{Text: "Once upon a time", Words: words})
	if err != nil {
		t.Fatal(err)
	}
	w.speller = spelling{w.speller, glued{w.speller}}
	if err := e.pass(t.Context(), func(p *nn.Pass) { c.write(t.Context(), p, w) }); err != nil {
		t.Fatal(err)
	}
	if len(c.Written) != words*MostWordPieces || c.Next == nil {
		t.Fatalf("%d words have %d pieces", words, len(c.Written))
	}
	for i, one := range c.Written {
		if want := 1 + i/MostWordPieces; one.Word != want {
			t.Errorf("piece %d belongs to word %d, not %d", i+1, one.Word, want)
		}
	}
}
