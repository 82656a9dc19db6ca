package address

import (
	"net/url"
	"slices"
	"strings"
	"testing"

	"attnatlas/engine/tokenizer"

	"pgregory.net/rapid"
)

// TestWhatMasksHideFitsTheText: masked words without matching masks are dropped.
func TestWhatMasksHideFitsTheText(t *testing.T) {
	for query, want := range map[string][]string{
		"text=a+%5BMASK%5D&was=cat":                           {"cat"},
		"text=a+%5BMASK%5D&was=cat&was=dog":                   nil,
		"text=a+%5BMASK%5D&was=recondite":                     nil, // three pieces
		"text=%5BMASK%5D+%5BMASK%5D+%5BMASK%5D&was=recondite": nil, // not adjacent
		"text=a+%5BMASK%5D+b&was=%5BMASK%5D":                  nil,
		"text=a+%5BMASK%5D&was=+":                             nil,
		"text=a+%5BMASK%5D&was=":                              nil,
		"text=a+cat&was=cat":                                  nil,
		"text=a+%5BMASK%5D+%5BMASK%5D&was=&was=cat":           {"", "cat"},
		"text=a+%5BMASK%5D+%5BMASK%5D+&was=recondite":         nil,
		"text=%5BMASK%5D%5BMASK%5D%5BMASK%5D&was=猫&x=1":       nil,
		"text=%5BMASK%5D&was=猫":                               {"猫"},
		"text=a%5BMASK%5D&was=b":                              nil, // ab is one piece
		"text=a+%5BMASK%5D+b&was=%7C%7C%7C":                   nil,
		"text=a+%5BMASK%5D&was=%ff":                           {"\xff"},
	} {
		v, _ := ParseQuery(query)
		if s, _ := Decode(v, tokenizer.Default(), ""); !slices.Equal(s.Was, want) {
			t.Errorf("%s: %q, want %q", query, s.Was, want)
		}
	}
}

// TestHidingAnyText: for any text, masking a word keeps the other tokens, and restoring it gives
// the original text.
func TestHidingAnyText(t *testing.T) {
	v := tokenizer.Default()
	rapid.Check(t, func(t *rapid.T) {
		s := Default()
		s.Text = rapid.OneOf(rapid.SampledFrom(texts), rapid.String(),
			rapid.Map(rapid.SliceOfN(rapid.SampledFrom([]string{"cat", "recondite", "[MASK]", "Ω", "猫", "垫", "🙂", " ", "|||",
				"\xff", "e\u0301", "[", "]", "'", "\r\n"}), 1, 9),
				func(p []string) string { return strings.Join(p, "") })).Draw(t, "text")
		first := s
		for range 3 {
			words, tokens := wordsOf(s)
			if len(words) == 0 {
				return
			}
			w := words[rapid.IntRange(0, len(words)-1).Draw(t, "word")]
			if tokens[w.First].IsMask() {
				continue
			}
			next, asked, err := Toggle(url.Values{Hide: {WordKey(w)}}, s, v)
			if !asked || err != nil {
				t.Fatalf("%q: %q cannot be hidden: %v", s.Text, s.Text[w.Start:w.End], err)
			}
			_, after := wordsOf(next)
			if len(after) != len(tokens) {
				t.Fatalf("%q becomes %q", s.Text, next.Text)
			}
			for i := range after {
				if inside := i >= w.First && i < w.Last; after[i].IsMask() != (inside || tokens[i].IsMask()) || !inside &&
					after[i].ID != tokens[i].ID {
					t.Fatalf("%q becomes %q", s.Text, next.Text)
				}
			}
			if len(next.Was) == 0 {
				t.Fatalf("%q: nobody knows what %q hides", s.Text, next.Text)
			}
			s = next
		}
		for len(s.Was) > 0 {
			before := s
			words, tokens := wordsOf(s)
			for _, w := range words {
				if next, _, err := Toggle(url.Values{Hide: {WordKey(w)}}, s, v); tokens[w.First].IsMask() && err == nil {
					s = next
					break
				}
			}
			if s.Text == before.Text {
				return // it touches a mask typed by the visitor
			}
		}
		if masks := strings.Count(first.Text, "[MASK]"); masks == 0 && s.Text != first.Text {
			t.Fatalf("%q came back as %q", first.Text, s.Text)
		}
	})
}

// wordsOf returns the words of a state's text, and its tokens.
func wordsOf(s State) ([]tokenizer.Cell, []tokenizer.Token) {
	tokens, _ := tokenizer.Default().EncodePair(s.Text)
	return tokenizer.Default().Words(s.Text, tokens), tokens
}
