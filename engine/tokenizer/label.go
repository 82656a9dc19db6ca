package tokenizer

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Label is a token as pages, figures and the API show it: the text's own spelling with
// everything invisible made visible. A piece that continues a word keeps its "##". A byte of a
// character that the vocabulary lacks is the character and the number of the byte, 🙂², and ⟨E2⟩
// where the text is not UTF-8.
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

// PieceLabel is the label of a piece of the vocabulary that is not in a text, such as a
// word that a model expects.
func PieceLabel(piece string) string {
	if hex, ok := strings.CutPrefix(piece, "<"); ok && len(piece) == len("<E7>") {
		return "⟨" + strings.TrimSuffix(hex, ">") + "⟩"
	}
	return Visible(piece)
}

// PieceLabels are the labels of pieces of the vocabulary by their numbers.
func PieceLabels(v *Vocabulary, ids []int) []string {
	labels := make([]string, len(ids))
	for i, id := range ids {
		labels[i] = PieceLabel(v.Piece(id))
	}
	return labels
}

// Labels are the labels of tokens.
func Labels(tokens []Token) []string {
	labels := make([]string, len(tokens))
	for i, t := range tokens {
		labels[i] = t.Label()
	}
	return labels
}

// IDs are the numbers of tokens in the vocabulary.
func IDs(tokens []Token) []int {
	ids := make([]int, len(tokens))
	for i, t := range tokens {
		ids[i] = t.ID
	}
	return ids
}

// IsSpecial says whether the token is a mark such as [CLS] or [MASK].
func (t Token) IsSpecial() bool { return t.ID < FirstByte }

// IsByte says whether the token is a byte of a character that the vocabulary lacks.
func (t Token) IsByte() bool { return t.ID >= FirstByte && t.ID < FirstLearned }

// IsMask says whether the token hides a word.
func (t Token) IsMask() bool { return t.ID == maskID }

// IsBoundary says whether the token stands for no word: [CLS] or [SEP].
func (t Token) IsBoundary() bool { return t.ID == clsID || t.ID == sepID }

// Continues says whether the token is a part of the word before it.
func (t Token) Continues() bool { return t.IsByte() || strings.HasPrefix(t.Piece, "##") }

// Visible replaces what cannot be seen, or would change how its neighbours are
// seen, by a mark.
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
