package tokenizer

import (
	"fmt"
	"slices"
	"testing"
)

// TestHiddenWords: masked words are matched to the masks in order.
func TestHiddenWords(t *testing.T) {
	v := Default()
	for _, c := range []struct {
		text  string
		words []string
		want  string // tokens and words; empty: the words do not match
		shown string
	}{
		{"a [MASK] b", nil, "[{2 3 }]", "a [MASK] b"},
		{"a b", nil, "[]", "a b"},
		{"a [MASK] b", []string{"cat"}, "[{2 3 cat}]", "a cat b"},
		{"a [MASK] b", []string{""}, "[{2 3 }]", "a [MASK] b"},
		{"[MASK][MASK][MASK] [MASK]", []string{"recondite", "cat"}, "[{1 4 recondite} {4 5 cat}]", "recondite cat"},
		{"[MASK][MASK][MASK][MASK]", []string{"", "recondite"}, "[{1 2 } {2 5 recondite}]", "[MASK]recondite"},
		{"a [MASK] b", []string{"cat", "dog"}, "", ""},
		{"a [MASK] [MASK]", []string{"cat"}, "", ""},
		{"[MASK] [MASK] [MASK]", []string{"recondite"}, "", ""}, // not adjacent
		{"[MASK]", []string{"recondite"}, "", ""},
		{"[MASK]", []string{" "}, "", ""},
	} {
		tokens := v.Encode(c.text)
		list, ok := v.HiddenWords(tokens, c.words)
		if ok != (c.want != "") || ok && fmt.Sprint(list) != c.want {
			t.Errorf("%s with %q: %v, %v", c.text, c.words, list, ok)
		}
		if got := Reveal(c.text, tokens, list); ok && got != c.shown {
			t.Errorf("%s with %q shows %q", c.text, c.words, got)
		}
	}
}

// TestToggle masks a word and restores it, among other masked words.
func TestToggle(t *testing.T) {
	v := Default()
	for _, c := range []struct {
		text  string
		words []string
		at    int // index of the requested word
		want  string
		then  []string
		fails bool
	}{
		{text: "The recondite cat", at: 1, want: "The [MASK][MASK][MASK] cat", then: []string{"recondite"}},
		{text: "The [MASK] cat", words: []string{"old"}, at: 0, want: "[MASK] [MASK] cat", then: []string{"The", "old"}},
		{text: "The [MASK] cat", words: []string{"old"}, at: 2, want: "The [MASK] [MASK]", then: []string{"old", "cat"}},
		{text: "The [MASK] cat", words: []string{"old"}, at: 1, want: "The old cat"},
		{text: "a [MASK][MASK][MASK][MASK]", words: []string{"recondite", "cat"}, at: 1,
			want: "a reconditecat"}, // they become one word
		{text: "a [MASK] cat", words: nil, at: 2, want: "a [MASK] [MASK]", then: []string{"", "cat"}},
		{text: "a [MASK] cat", words: nil, at: 1, fails: true},
		{text: "a [MASK] cat", words: []string{"b", "c"}, at: 0, fails: true},
	} {
		tokens := v.Encode(c.text)
		text, words, ok := v.Toggle(c.text, tokens, v.Words(c.text, tokens)[c.at], c.words)
		if ok == c.fails || ok && (text != c.want || !slices.Equal(words, c.then)) || !ok &&
			(text != c.text || !slices.Equal(words, c.words)) {
			t.Errorf("word %d of %q with %q: %q, %q, %v", c.at, c.text, c.words, text, words, ok)
		}
	}
}
