package tokenizer

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Label returns a token as pages, figures and the API show it: the text's own spelling with visible
// forms of invisible characters. A piece that continues a word keeps its "##". A byte of a
// character outside the vocabulary is the character with the number of the byte, 🙂², or ⟨E2⟩ where
// the text is not UTF-8.
func (t Token) Label() string {
	switch {
	case t.IsSpecial():
		return t.Piece
	case len(t.Char) == 1:
		return Visible(t.Char)
	case t.Char != "":
		return Visible(t.Char) + raised[t.Part]
	case t.IsByte():
		return "⟨" + strings.Trim(t.Piece, "<>") + "⟩"
	case strings.HasPrefix(t.Piece, "##"):
		return "##" + Visible(t.Text)
	}
	return Visible(t.Text)
}

// PieceLabel returns the label of a piece of the vocabulary outside of a text, such as a predicted
// token.
func PieceLabel(piece string) string {
	if hex, ok := strings.CutPrefix(piece, "<"); ok && len(piece) == len("<E7>") {
		return "⟨" + strings.TrimSuffix(hex, ">") + "⟩"
	}
	return Visible(piece)
}

// Labels returns the labels of tokens.
func Labels(tokens []Token) []string {
	labels := make([]string, len(tokens))
	for i, t := range tokens {
		labels[i] = t.Label()
	}
	return labels
}

// IDs returns the ids of tokens in the vocabulary.
func IDs(tokens []Token) []int {
	ids := make([]int, len(tokens))
	for i, t := range tokens {
		ids[i] = t.ID
	}
	return ids
}

// IsSpecial reports whether the token is special, such as [CLS] or [MASK].
func (t Token) IsSpecial() bool { return t.ID < FirstByte }

// IsByte reports whether the token is a byte of a character outside the vocabulary.
func (t Token) IsByte() bool { return t.ID >= FirstByte && t.ID < FirstLearned }

// IsMask reports whether the token is [MASK].
func (t Token) IsMask() bool { return t.ID == maskID }

// IsBoundary reports whether the token is [CLS] or [SEP].
func (t Token) IsBoundary() bool { return t.ID == clsID || t.ID == sepID }

// Continues reports whether the token belongs to the word before it.
func (t Token) Continues() bool { return t.IsByte() || strings.HasPrefix(t.Piece, "##") }

// Visible replaces invisible characters, and characters that change how their neighbours look, with
// visible symbols.
func Visible(s string) string {
	if s == "" {
		return "∅"
	}
	var b strings.Builder
	for i, r := range s {
		switch {
		case r == utf8.RuneError && !strings.HasPrefix(s[i:], "\uFFFD"):
			fmt.Fprintf(&b, "⟨%02X⟩", s[i])
		case marks[r] != "":
			b.WriteString(marks[r])
		case r == zeroWidthJoiner, unicode.IsMark(r), unicode.IsPrint(r):
			b.WriteRune(r)
		default:
			fmt.Fprintf(&b, "⟨U+%04X⟩", r)
		}
	}
	return b.String()
}

// zeroWidthJoiner joins emoji and letters; without it they look different.
const zeroWidthJoiner = '\u200D'

// raised are the numbers of the bytes of a character.
var raised = [utf8.UTFMax + 1]string{1: "¹", 2: "²", 3: "³", 4: "⁴"}

var marks = map[rune]string{' ': "␣", '\n': "⏎", '\t': "⇥", '\r': "␍", '\u00A0': "⍽"}
