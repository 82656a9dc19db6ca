package tokenizer

import (
	"slices"
	"strings"
)

// PairMark separates the two texts of a pair: "A ||| B".
const PairMark = "|||"

// Count returns the number of tokens that EncodePair makes of a text.
func (v *Vocabulary) Count(text string) int {
	first, second, _ := strings.Cut(text, PairMark)
	a, b := v.words(first), v.words(second)
	if a > 0 && b > 0 {
		b++ // [SEP] between them
	}
	return a + b + 2
}

// words returns the number of tokens of a text without [CLS] and [SEP].
func (v *Vocabulary) words(text string) (n int) {
	v.scan(text, func(int, int, int) { n++ })
	return n
}

// EncodePair splits a text, or the two texts of a pair with [SEP] between them: "[CLS] A [SEP] B
// [SEP]". segments holds 0 or 1 for every token of a pair: the first or the second text. It is nil for
// one text. A side without words does not count as a text.
func (v *Vocabulary) EncodePair(text string) (tokens []Token, segments []int) {
	first, second, pair := strings.Cut(text, PairMark)
	if !pair {
		return v.Encode(text), nil
	}
	a, b := v.Encode(first), v.Encode(second)
	for i := range b {
		b[i].Start += len(first) + len(PairMark)
		b[i].End += len(first) + len(PairMark)
	}
	switch {
	case len(b) == 2:
		return a, nil
	case len(a) == 2:
		return b, nil
	}
	tokens = slices.Concat(a, b[1:])
	segments = make([]int, len(tokens))
	for i := len(a); i < len(tokens); i++ {
		segments[i] = 1
	}
	return tokens, segments
}
