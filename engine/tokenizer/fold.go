package tokenizer

import (
	"unicode"
	"unicode/utf8"
)

// class is the role of a character in pre-tokens.
type class uint8

const (
	single  class = iota // a pre-token by itself: Han, digit, punctuation, symbol, control
	space                // separates and is dropped
	letter               // begins or continues a run of letters
	mark                 // continues a run of letters, otherwise a pre-token by itself
	invalid              // a byte that is not UTF-8
)

// plain maps typographic characters to the plain ASCII characters of the corpus.
var plain = map[rune]rune{
	'‘': '\'', '’': '\'', '‛': '\'',
	'“': '"', '”': '"', '‟': '"',
	'\u2010': '-', // hyphen
	'\u2011': '-', // non-breaking hyphen
}

// Full-width forms repeat ASCII from ! to ~ at a fixed distance.
const (
	fullWidthFirst = '\uFF01'
	fullWidthLast  = '\uFF5E'
	fullWidthShift = fullWidthFirst - '!'
)

// asciiFold and asciiClass are the folded form and class of ASCII characters.
var asciiFold, asciiClass = asciiTables()

func asciiTables() (fold [utf8.RuneSelf]rune, cl [utf8.RuneSelf]class) {
	for r := range rune(utf8.RuneSelf) {
		fold[r] = foldRune(r)
		cl[r] = classOf(fold[r])
	}
	return fold, cl
}

// next decodes the character at text[pos:], folds it and classifies it. size is its number of bytes
// in the original text, at least 1.
func next(text string, pos int) (r rune, size int, cl class) {
	if c := text[pos]; c < utf8.RuneSelf {
		return asciiFold[c], 1, asciiClass[c]
	}
	r, size, ok := decode(text, pos)
	if !ok {
		return r, size, invalid
	}
	return r, size, classOf(r)
}

// decode does the same as next, without the class. ok is false at a byte that is not UTF-8.
func decode(text string, pos int) (r rune, size int, ok bool) {
	if c := text[pos]; c < utf8.RuneSelf {
		return asciiFold[c], 1, true
	}
	r, size = utf8.DecodeRuneInString(text[pos:])
	if r == utf8.RuneError && size == 1 {
		return r, 1, false
	}
	return foldRune(r), size, true
}

// foldRune maps one character to one character, never to several, because offsets depend on it.
// Folding twice has no further effect.
func foldRune(r rune) rune {
	if r >= fullWidthFirst && r <= fullWidthLast {
		r -= fullWidthShift
	}
	if p, ok := plain[r]; ok {
		return p
	}
	return unicode.ToLower(r)
}

func classOf(r rune) class {
	switch {
	case unicode.IsSpace(r):
		return space
	case unicode.Is(unicode.Han, r):
		return single
	case unicode.IsLetter(r):
		return letter
	case unicode.IsMark(r):
		return mark
	}
	return single
}
