package tokenizer

import (
	"slices"
	"strings"
	"testing"
)

func TestVisible(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"cat", "cat"}, {"", "∅"}, {" ", "␣"}, {"a\nb\tc\r", "a⏎b⇥c␍"}, {"\u00A0", "⍽"}, {"今", "今"}, {"שלום", "שלום"},
		{"e\u0301", "e\u0301"}, {"🙂", "🙂"}, {"👩\u200D👧", "👩\u200D👧"}, {"\u202Ex", "⟨U+202E⟩x"}, {"\x00", "⟨U+0000⟩"},
		{"\xff", "⟨FF⟩"}, {"\xe2\x82", "⟨E2⟩⟨82⟩"}, {"\uFFFD", "\uFFFD"}, {"\uFEFF", "⟨U+FEFF⟩"},
	} {
		if got := Visible(c.in); got != c.want {
			t.Errorf("%q is shown as %q, want %q", c.in, got, c.want)
		}
	}
}

func TestLabels(t *testing.T) {
	text := "The 🙂 [MASK] \xff\x01"
	want := []string{"[CLS]", "The", "🙂¹", "🙂²", "🙂³", "🙂⁴", "[MASK]", "⟨FF⟩", "⟨U+0001⟩", "[SEP]"}
	if got := Labels(Default().Encode(text)); !slices.Equal(got, want) {
		t.Errorf("%q is labelled %q, want %q", text, got, want)
	}
	piece := Token{ID: FirstLearned, Piece: "##ing", Text: "ING", Start: 4, End: 7}
	if got := piece.Label(); got != "##ING" {
		t.Errorf("a continuation is labelled %q", got)
	}
}

// TestKindsOfTokens covers special tokens, boundaries, bytes, and continuations.
func TestKindsOfTokens(t *testing.T) {
	for i, token := range Default().Encode("recondite 🙂 [MASK]") {
		want := [...]string{"special boundary", "", "continues", "continues", "byte continues", "byte continues",
			"byte continues", "byte continues", "special mask", "special boundary"}[i]
		var got []string
		for name, is := range map[string]bool{"boundary": token.IsBoundary(), "byte": token.IsByte(),
			"continues": token.Continues(), "mask": token.IsMask(), "special": token.IsSpecial()} {
			if is {
				got = append(got, name)
			}
		}
		slices.Sort(got)
		if kinds := strings.Fields(want); !slices.Equal(got, slices.Sorted(slices.Values(kinds))) {
			t.Errorf("%s is %q, want %q", token.Piece, got, want)
		}
	}
}

// TestPieceLabels: the label of a byte differs from a word with the same spelling.
func TestPieceLabels(t *testing.T) {
	for piece, want := range map[string]string{"<E7>": "⟨E7⟩", "cat": "cat", "##ing": "##ing", "[SEP]": "[SEP]", "<": "<",
		"": "∅", " ": "␣"} {
		if got := PieceLabel(piece); got != want {
			t.Errorf("%q is labelled %q, want %q", piece, got, want)
		}
	}
}
