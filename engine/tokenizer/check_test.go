package tokenizer

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// checkTokens returns an error if the tokens of a text break a general property.
func checkTokens(v *Vocabulary, text string, tokens []Token) error {
	if len(tokens) < 2 {
		return fmt.Errorf("%d tokens, want at least [CLS] and [SEP]", len(tokens))
	}
	cls, sep, n := tokens[0], tokens[len(tokens)-1], len(text)
	if cls != (Token{ID: v.CLS(), Piece: "[CLS]", Text: "[CLS]"}) ||
		sep != (Token{ID: v.SEP(), Piece: "[SEP]", Text: "[SEP]", Start: n, End: n}) {
		return fmt.Errorf("ends are %#v and %#v", cls, sep)
	}
	pos := 0
	var again strings.Builder
	for _, t := range tokens[1 : len(tokens)-1] {
		if t.Start < pos || t.End <= t.Start || t.End > n {
			return fmt.Errorf("%#v does not follow byte %d of %d", t, pos, n)
		}
		if gap := text[pos:t.Start]; !isSpaceOnly(gap) {
			return fmt.Errorf("%q in front of %#v is not white space", gap, t)
		}
		if err := checkToken(v, text, t); err != nil {
			return err
		}
		again.WriteString(text[pos:t.Start] + t.Text)
		pos = t.End
	}
	if rest := text[pos:]; !isSpaceOnly(rest) {
		return fmt.Errorf("%q at the end is not white space", rest)
	}
	if got := again.String() + text[pos:]; got != text {
		return fmt.Errorf("tokens and gaps give %q, want %q", got, text)
	}
	return nil
}

func checkToken(v *Vocabulary, text string, t Token) error {
	if t.Text != text[t.Start:t.End] || t.Piece != v.Piece(t.ID) {
		return fmt.Errorf("%#v: text is %q, piece is %q", t, text[t.Start:t.End], v.Piece(t.ID))
	}
	switch {
	case t.ID == v.MASK():
		if t.Text != "[MASK]" {
			return fmt.Errorf("%#v is a mask that nobody wrote", t)
		}
	case v.IsSpecial(t.ID):
		return fmt.Errorf("%#v is special", t)
	case v.IsByte(t.ID):
		if t.End-t.Start != 1 {
			return fmt.Errorf("%#v covers %d bytes", t, t.End-t.Start)
		}
		from := t.Start - t.Part + 1
		if t.Char == "" && utf8.ValidString(text) || t.Char != "" &&
			(!utf8.ValidString(t.Char) || utf8.RuneCountInString(t.Char) != 1 || !strings.HasPrefix(text[from:], t.Char) ||
				t.Part > len(t.Char)) {
			return fmt.Errorf("%#v is byte %d of %q", t, t.Part, t.Char)
		}
	default:
		if bare := strings.TrimPrefix(t.Piece, "##"); folded(t.Text) != bare && t.Piece != folded(t.Text) {
			return fmt.Errorf("%#v: folded text is %q", t, folded(t.Text))
		}
	}
	return nil
}

// isSpaceOnly uses the standard library, not the tested code.
func isSpaceOnly(s string) bool { return utf8.ValidString(s) && strings.TrimSpace(s) == "" }

// trickyParts are joined at random by texts. Each has broken a tokenizer before.
var trickyParts = []string{
	"the", "The", "trophy", "running", "ünïcödé", "zzzz", "antidisestablishmentarianism",
	" ", "  ", "\n", "\t", "\r\n", "\u00a0", "\u3000", "\u2028", "\u0085", "\u200b", "\ufeff",
	"'", "’", "“", "”", "-", "—", ".", ",", "#", "##", "##ing", "[", "]", "[MASK]", "[CLS]", "<E7>", "%", "$",
	"0", "7", "1862", "１", "Ａ", "ｚ", "！", "½", "²", "Ⅷ",
	"猫", "垫", "𠀀", "〇", "々", "⼤", "。", "カタカナ", "한국어",
	"İ", "I", "ı", "ẞ", "ß", "\u212a", "\u212b", "\u2126", "Ⱥ", "ⱥ", "ﬁ", "Ǆ", "Σ", "ς", "Ж", "ж", "Ѐ",
	"\u0301", "e\u0301", "\u0308", "q\u0323\u0307", "שָׁלוֹם", "مَرْحَبًا", "नमस्ते", "\u200d", "\ufe0f", "\u202e",
	"👨‍👩‍👧‍👦", "🏳️‍🌈", "👍🏽", "😂", "🇩🇪", "7️⃣",
	"\x00", "\x7f", "\x1b", "\xff", "\xc3", "\xe7\x8c", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xc0\x80", "\ufffd",
	"\U0010ffff",
}

// texts generates any bytes, any Unicode, and mixtures of tricky parts.
func texts() *rapid.Generator[string] {
	parts := rapid.Map(rapid.SliceOfN(rapid.SampledFrom(trickyParts), 0, 12), func(p []string) string {
		return strings.Join(p, "")
	})
	raw := rapid.Map(rapid.SliceOfN(rapid.Byte(), 0, 24), func(b []byte) string { return string(b) })
	return rapid.OneOf(parts, raw, rapid.String())
}

// vocabularyOf returns a vocabulary with a few learned pieces.
func vocabularyOf(t testing.TB, learned ...string) *Vocabulary {
	t.Helper()
	for _, p := range learned {
		if err := checkLearned(p); err != nil {
			t.Fatal(err)
		}
	}
	return newVocabulary(append(fixedPieces(), learned...))
}

// folded returns the text as the vocabulary sees it: every character folded, white space and
// invalid bytes kept. Two texts with the same folded form get the same pieces, except for unknown
// letters whose two cases differ in their number of bytes.
func folded(text string) string {
	out := make([]byte, 0, len(text))
	for pos := 0; pos < len(text); {
		r, size, cl := next(text, pos)
		if cl == invalid {
			out = append(out, text[pos])
		} else {
			out = utf8.AppendRune(out, r)
		}
		pos += size
	}
	return string(out)
}
