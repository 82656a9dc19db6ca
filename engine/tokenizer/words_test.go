package tokenizer

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestWords(t *testing.T) {
	v := Default()
	for text, want := range map[string]string{
		"The cat sat.":          "The|cat|sat|.",
		"a recondite matter":    "a|recondite|matter",
		"Ωmega 🙂🙂 naïve":        "Ωmega|🙂|🙂|naïve",
		"小猫cat":                 "小|猫|cat",
		"don't 12":              "don|'|t|1|2",
		"[MASK][MASK] a [MASK]": "[MASK][MASK]|a|[MASK]",
		"cat[MASK]dog":          "cat|[MASK]|dog",
		"":                      "",
	} {
		tokens := v.Encode(text)
		var got []string
		for _, w := range v.Words(text, tokens) {
			got = append(got, text[w.Start:w.End])
		}
		if s := strings.Join(got, "|"); s != want {
			t.Errorf("%q: %q, want %q", text, s, want)
		}
	}
}

// TestHidingMovesNothing: for any text, masking a word leaves every other token unchanged, at its
// position.
func TestHidingMovesNothing(t *testing.T) {
	v := Default()
	rapid.Check(t, func(t *rapid.T) {
		text := texts().Draw(t, "text")
		tokens := v.Encode(text)
		words := v.Words(text, tokens)
		covered := 2
		for _, w := range words {
			covered += w.Last - w.First
		}
		if covered != len(tokens) {
			t.Fatalf("%q: words have %d of %d tokens", text, covered, len(tokens))
		}
		if len(words) == 0 {
			return
		}
		w := words[rapid.IntRange(0, len(words)-1).Draw(t, "word")]
		want := idsOf(tokens)
		for i := w.First; i < w.Last; i++ {
			want[i] = v.MASK()
		}
		if got := idsOf(v.Encode(Hide(text, w))); !slices.Equal(got, want) {
			t.Fatalf("%q becomes %q: %v, not %v", text, Hide(text, w), got, want)
		}
	})
}
