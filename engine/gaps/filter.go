package gaps

import (
	"slices"
	"strings"
	"unicode"
)

// Filter finds the sentences of a list of gaps in other texts.
type Filter struct {
	known map[string][][]string // sentences by their first and last word
}

// hidden represents the masked word among the words of a sentence.
const hidden = ""

// NewFilter returns the filter of a list.
func NewFilter(all []Gap) *Filter {
	f := &Filter{known: map[string][][]string{}}
	for _, g := range all {
		for _, sentence := range sentences(strings.ReplaceAll(g.Text, Mask, "\uFFFC")) {
			if at := slices.Index(sentence, "\uFFFC"); at >= 0 && len(sentence) > 2 {
				sentence[at] = hidden
				f.add(sentence)
			}
		}
	}
	return f
}

// add stores a sentence under its first and last word.
func (f *Filter) add(sentence []string) {
	key := ends(sentence)
	f.known[key] = append(f.known[key], sentence)
}

// ends returns the key of a sentence: its first and last word, one of which can be masked.
func ends(sentence []string) string { return sentence[0] + " " + sentence[len(sentence)-1] }

// Holds reports whether a text contains one of the sentences, with any single word in the gap. Case and
// punctuation do not matter.
func (f *Filter) Holds(text string) bool {
	return slices.ContainsFunc(sentences(text), func(words []string) bool {
		first, last := words[0], words[len(words)-1]
		for _, key := range []string{first + " " + last, first + " " + hidden, hidden + " " + last} {
			if slices.ContainsFunc(f.known[key], func(gap []string) bool { return same(gap, words) }) {
				return true
			}
		}
		return false
	})
}

// same reports whether words equal a gap's sentence, with any word in the gap.
func same(gap, words []string) bool {
	return slices.EqualFunc(gap, words, func(a, b string) bool { return a == hidden || a == b })
}

// sentences returns the words of each sentence of a text, in lower case and without punctuation. Every Han
// character is a word.
func sentences(text string) [][]string {
	var all [][]string
	var words []string
	var word strings.Builder
	endWord := func() {
		if word.Len() > 0 {
			words = append(words, word.String())
			word.Reset()
		}
	}
	for _, r := range text {
		switch {
		case unicode.Is(unicode.Han, r) || r == '\uFFFC':
			endWord()
			words = append(words, string(r))
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			word.WriteRune(unicode.ToLower(r))
		case r == '\'' || r == '’':
		default:
			endWord()
			if strings.ContainsRune(".!?。！？", r) && len(words) > 0 {
				all, words = append(all, words), nil
			}
		}
	}
	if endWord(); len(words) > 0 {
		all = append(all, words)
	}
	return all
}
