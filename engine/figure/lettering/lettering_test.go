package lettering

import (
	"testing"

	"github.com/go-text/typesetting/font"
)

// TestScriptsHaveGlyphs: no label disappears or shows boxes in the supported scripts.
func TestScriptsHaveGlyphs(t *testing.T) {
	ts := New()
	for _, label := range []string{
		"Straße", "Ελλάδα", "Жизнь", "שלום", "مرحبا", "日本語のテキスト", "注意力机制", "注意力機制", "鬱龜體", "한국어", "हिन्दी", "ภาษาไทย", "🙂🚀🌍",
		"␣⏎⇥⟨E2⟩…→↓", "₁₁×÷²⁻⁴",
	} {
		for _, bold := range []bool{false, true} {
			l := ts.Set(Line{Text: label, Size: 12 * 64, Bold: bold})
			if len(l.Glyphs) == 0 || l.Advance <= 0 {
				t.Errorf("%s vanished", label)
			}
			for _, g := range l.Glyphs {
				if g.ID == 0 {
					t.Errorf("%s has a character without a glyph", label)
				}
			}
		}
	}
}

// TestUnknownCharactersShowABox: characters that no font has show a box, and do not disappear.
func TestUnknownCharactersShowABox(t *testing.T) {
	ts := New()
	l := ts.Set(Line{Text: "\U00012000", Size: 12 * 64})
	if len(l.Glyphs) != 1 || l.Glyphs[0].ID != font.GID(0) || len(ts.mask(maskKey{face: Sans, size: 12 * 64}).cover) == 0 {
		t.Errorf("a cuneiform sign is set as %+v", l.Glyphs)
	}
}

// TestRunsAreInVisualOrder: Hebrew runs from right to left, with its first letter on the right.
func TestRunsAreInVisualOrder(t *testing.T) {
	ts := New()
	one := func(s string) font.GID { return ts.Set(Line{Text: s, Size: 12 * 64}).Glyphs[0].ID }
	ids := func(s string) (out []font.GID) {
		for _, g := range ts.Set(Line{Text: s, Size: 12 * 64}).Glyphs {
			out = append(out, g.ID)
		}
		return out
	}
	a, b, alef, bet := one("a"), one("b"), one("א"), one("ב")
	for text, want := range map[string][]font.GID{
		"אב": {bet, alef}, "ab": {a, b}, "abאב": {a, b, bet, alef}, "אבab": {a, b, bet, alef},
	} {
		got := ids(text)
		if len(got) != len(want) {
			t.Fatalf("%s has glyphs %v, want %v", text, got, want)
		}
		for i := range want {
			if got[i] != want[i] {
				t.Errorf("%s has glyphs %v, want %v", text, got, want)
			}
		}
	}
}
