package web

import (
	"slices"
	"testing"

	"attnatlas/engine"
	"attnatlas/engine/tokenizer"
)

func TestVisible(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"cat", "cat"}, {"", "∅"}, {" ", "␣"}, {"a\nb\tc\r", "a⏎b⇥c␍"}, {"\u00A0", "⍽"}, {"今", "今"}, {"שלום", "שלום"},
		{"e\u0301", "e\u0301"}, {"🙂", "🙂"}, {"👩\u200D👧", "👩\u200D👧"}, {"\u202Ex", "⟨U+202E⟩x"}, {"\x00", "⟨U+0000⟩"},
		{"\xff", "⟨FF⟩"}, {"\xe2\x82", "⟨E2⟩⟨82⟩"}, {"\uFFFD", "\uFFFD"}, {"\uFEFF", "⟨U+FEFF⟩"},
	} {
		if got := visible(c.in); got != c.want {
			t.Errorf("%q is shown as %q, want %q", c.in, got, c.want)
		}
	}
}

func TestLabels(t *testing.T) {
	text := "The 🙂 [MASK] \xff\x01"
	r := &engine.Report{Text: text, Tokens: tokenizer.Default().Encode(text)}
	want := []string{"[CLS]", "The", "⟨F0⟩", "⟨9F⟩", "⟨99⟩", "⟨82⟩", "[MASK]", "⟨FF⟩", "⟨01⟩", "[SEP]"}
	if got := Labels(r); !slices.Equal(got, want) {
		t.Errorf("%q is labelled %q, want %q", text, got, want)
	}
	piece := tokenizer.Token{ID: tokenizer.FirstLearned, Piece: "##ing", Text: "ING", Start: 4, End: 7}
	if got := Label(piece); got != "##ING" {
		t.Errorf("a continuation is labelled %q", got)
	}
}
