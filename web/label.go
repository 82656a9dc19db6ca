package web

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"attnatlas/engine"
	"attnatlas/engine/tokenizer"
)

// Label is a token as pages, figures and the API show it: the visitor's own
// spelling with everything invisible made visible. A piece that continues a
// word keeps its "##", a byte of a character that the vocabulary lacks is ⟨E2⟩.
func Label(t tokenizer.Token) string {
	switch {
	case isSpecial(t):
		return t.Piece
	case isByte(t):
		return "⟨" + strings.Trim(t.Piece, "<>") + "⟩"
	case strings.HasPrefix(t.Piece, "##"):
		return "##" + visible(t.Text)
	}
	return visible(t.Text)
}

// pieceLabel is a piece of the vocabulary as it is shown where no text has it, such as a
// word that a model expects.
func pieceLabel(piece string) string {
	if hex, ok := strings.CutPrefix(piece, "<"); ok && len(piece) == len("<E7>") {
		return "⟨" + strings.TrimSuffix(hex, ">") + "⟩"
	}
	return visible(piece)
}

// Labels are the labels of all tokens of a report.
func Labels(r *engine.Report) []string {
	labels := make([]string, len(r.Tokens))
	for i, t := range r.Tokens {
		labels[i] = Label(t)
	}
	return labels
}

func isSpecial(t tokenizer.Token) bool { return t.ID < tokenizer.FirstByte }

func isByte(t tokenizer.Token) bool {
	return t.ID >= tokenizer.FirstByte && t.ID < tokenizer.FirstLearned
}

// visible replaces what cannot be seen, or would change how its neighbours are
// seen, by a mark.
func visible(s string) string {
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

var marks = map[rune]string{' ': "␣", '\n': "⏎", '\t': "⇥", '\r': "␍", '\u00A0': "⍽"}
