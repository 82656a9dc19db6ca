package secondtext_test

import (
	"strings"
	"testing"

	"attnatlas/engine/tokenizer"
	"attnatlas/web/address"
	"attnatlas/web/secondtext"
)

// TestShuffled: another order of the same words with the same number of tokens, and then a third order.
func TestShuffled(t *testing.T) {
	vocab := tokenizer.Default()
	for _, text := range []string{address.DefaultText, "小猫坐在垫子上", "one two", "The old man. ||| He sat."} {
		one := secondtext.Shuffled(vocab, text, "")
		tokens, _ := vocab.EncodePair(text)
		list, _ := vocab.EncodePair(one)
		if one == "" || one == text || len(list) != len(tokens) || one != secondtext.Shuffled(vocab, text, "") {
			t.Errorf("%q becomes %q", text, one)
		}
		if again := secondtext.Shuffled(vocab, text, one); again == one || again == text {
			t.Errorf("%q becomes %q again", text, again)
		}
	}
	for _, text := range []string{"word", "a a a", ""} {
		if one := secondtext.Shuffled(vocab, text, ""); one != "" {
			t.Errorf("%q becomes %q", text, one)
		}
	}
}

// TestAlike: examples with the length of the first text, one after the other.
func TestAlike(t *testing.T) {
	vocab := tokenizer.Default()
	tokens, _ := vocab.EncodePair(address.DefaultText)
	next := func(after string) string { return secondtext.Alike(vocab, address.DefaultText, after) }
	seen := map[string]bool{}
	for one := next(""); !seen[one]; one = next(one) {
		seen[one] = true
		if list, _ := vocab.EncodePair(one); len(list) != len(tokens) || one == address.DefaultText {
			t.Errorf("%q has %d tokens", one, len(list))
		}
	}
	if len(seen) < 3 {
		t.Errorf("there are only %d", len(seen))
	}
	if one := secondtext.Alike(vocab, strings.Repeat("word ", 200), ""); one != "" {
		t.Errorf("%q has 200 words", one)
	}
}

// TestCut: a beginning of whole words, or nothing.
func TestCut(t *testing.T) {
	for _, c := range []struct {
		text string
		n    int
		want string
	}{{"the old cat sat", 4, "the old"}, {"the old cat", 5, "the old cat"}, {"the old", 9, ""}, {"the old", 2, ""},
		{"", 3, ""}} {
		if got := secondtext.Cut(tokenizer.Default(), c.text, c.n); got != c.want {
			t.Errorf("%q of %d tokens is %q", c.text, c.n, got)
		}
	}
}
