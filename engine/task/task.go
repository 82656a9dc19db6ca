package task

import (
	"slices"
	"strings"

	"attnatlas/engine/tokenizer"
)

// Words groups pieces into words: a piece that begins a word, and the pieces that continue it.
func Words(v *tokenizer.Vocabulary, ids []int) [][]int {
	var words [][]int
	for i, id := range ids {
		if i == 0 || v.IsWordStart(id) {
			words = append(words, nil)
		}
		words[len(words)-1] = append(words[len(words)-1], id)
	}
	return words
}

// Spelling returns the text of a word without the prefixes of its pieces.
func Spelling(v *tokenizer.Vocabulary, word []int) string {
	var b strings.Builder
	for _, id := range word {
		b.WriteString(strings.TrimPrefix(v.Piece(id), "##"))
	}
	return b.String()
}

// Names lists all tasks. An encoder–decoder can have learned only some of them.
func Names() []string { return []string{"reverse", "sort"} }

// Target returns the target of a source text: the same words, in the order that the named task requires. It panics if
// the task does not exist.
func Target(v *tokenizer.Vocabulary, name string, source [][]int) [][]int {
	words := slices.Clone(source)
	switch name {
	case "reverse":
		slices.Reverse(words)
	case "sort":
		slices.SortStableFunc(words, func(a, b []int) int { return strings.Compare(Spelling(v, a), Spelling(v, b)) })
	default:
		panic("task: no task is called " + name)
	}
	return words
}
