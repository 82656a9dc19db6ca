package tokenizer

import (
	"strings"
	"unicode/utf8"
)

// Token is one piece of a text with its place in the text.
type Token struct {
	ID    int
	Piece string // the vocabulary's spelling: "the", "##ing", "[CLS]", "<E7>"
	Text  string // the visitor's spelling, text[Start:End]; for [CLS] and [SEP] the Piece
	Start int    // byte offsets into the original text; equal for [CLS] and [SEP]
	End   int
	Char  string // for a byte: its character; empty if the text is not UTF-8 there
	Part  int    // the number of the byte in Char, from 1
}

// Encode splits a text into tokens between [CLS] and [SEP]. It accepts any string of bytes, UTF-8
// or not.
func (v *Vocabulary) Encode(text string) []Token {
	tokens := make([]Token, 0, v.words(text)+2)
	tokens = append(tokens, Token{ID: clsID, Piece: specials[clsID], Text: specials[clsID]})
	v.scan(text, func(id, start, end int) {
		t := Token{ID: id, Piece: v.pieces[id], Text: text[start:end], Start: start, End: end}
		if t.IsByte() {
			t.Char, t.Part = character(text, start)
		}
		tokens = append(tokens, t)
	})
	n := len(text)
	return append(tokens, Token{ID: sepID, Piece: specials[sepID], Text: specials[sepID], Start: n, End: n})
}

// character returns the character that contains a byte of the text, and the number of the byte in
// it, from 1. The character is empty if the text is not UTF-8 there.
func character(text string, at int) (char string, part int) {
	first := at
	for first > 0 && !utf8.RuneStart(text[first]) {
		first--
	}
	r, size := utf8.DecodeRuneInString(text[first:])
	if r == utf8.RuneError && size == 1 || at >= first+size {
		return "", 0
	}
	return text[first : first+size], at - first + 1
}

// EncodeIDs returns the ids of a text, without [CLS] and [SEP].
func (v *Vocabulary) EncodeIDs(text string) []int {
	return v.AppendIDs(make([]int, 0, len(text)/4+1), text)
}

// AppendIDs appends the ids of a text, without [CLS] and [SEP], to dst and
// returns the longer slice.
func (v *Vocabulary) AppendIDs(dst []int, text string) []int {
	v.scan(text, func(id, _, _ int) { dst = append(dst, id) })
	return dst
}

// Pieces returns the spelling of the pieces of a text, without [CLS] and [SEP].
func (v *Vocabulary) Pieces(text string) []string {
	var out []string
	v.scan(text, func(id, _, _ int) { out = append(out, v.pieces[id]) })
	return out
}

// scan calls emit for each piece of text in order, with its byte range.
func (v *Vocabulary) scan(text string, emit func(id, start, end int)) {
	inRun := false // the previous character belongs to a run of letters
	for pos := 0; pos < len(text); {
		if text[pos] == '[' && strings.HasPrefix(text[pos:], specials[maskID]) {
			end := pos + len(specials[maskID])
			emit(maskID, pos, end)
			pos, inRun = end, false
			continue
		}
		r, size, cl := next(text, pos)
		if cl == space {
			pos, inRun = pos+size, false
			continue
		}
		root := initialRoot
		if inRun && (cl == letter || cl == mark) {
			root = insideRoot
		}
		inRun = cl == letter || root == insideRoot
		id, end := v.trie.longest(root, text, pos)
		if id == none {
			end = pos + size
			emitBytes(text[pos:end], r, pos, emit)
		} else {
			emit(id, pos, end)
		}
		pos = end
	}
}

// emitBytes spells a character without a piece in bytes. It uses the bytes of the folded form r if
// there are as many, so that case does not matter, and otherwise the original bytes.
func emitBytes(sent string, r rune, pos int, emit func(id, start, end int)) {
	var buf [utf8.UTFMax]byte
	bytes := append(buf[:0], sent...)
	if utf8.RuneLen(r) == len(sent) { // never so for a byte that is not UTF-8
		bytes = utf8.AppendRune(buf[:0], r)
	}
	for i, b := range bytes {
		emit(FirstByte+int(b), pos+i, pos+i+1)
	}
}
