package tokenizer

import (
	"slices"
	"strings"
)

// Hidden is a word behind one or more masks of a text: the tokens First up to, but not including,
// Last. An empty Word is unknown.
type Hidden struct {
	First, Last int
	Word        string
}

// HiddenWords lists the masked words of a text, in order. words are the original words, with an
// empty string for each unknown one, or nil if all are unknown. The result is false if words does
// not match the masks.
func (v *Vocabulary) HiddenWords(tokens []Token, words []string) ([]Hidden, bool) {
	var list []Hidden
	for i := 0; i < len(tokens); i++ {
		if !tokens[i].IsMask() {
			continue
		}
		h := Hidden{First: i, Last: i + 1}
		if words != nil {
			k := len(list)
			if k == len(words) {
				return nil, false
			}
			if h.Word = words[k]; h.Word != "" {
				h.Last = i + len(v.EncodeIDs(h.Word))
			}
		}
		for j := h.First; j < h.Last; j++ {
			if j == len(tokens) || !tokens[j].IsMask() || j > h.First && tokens[j].Start != tokens[j-1].End {
				return nil, false
			}
		}
		if h.Last == h.First {
			return nil, false // a word without tokens
		}
		list = append(list, h)
		i = h.Last - 1
	}
	return list, words == nil || len(list) == len(words)
}

// Reveal puts the known words back into a text.
func Reveal(text string, tokens []Token, list []Hidden) string {
	var b strings.Builder
	at := 0
	for _, h := range list {
		if h.Word == "" {
			continue
		}
		b.WriteString(text[at:tokens[h.First].Start])
		b.WriteString(h.Word)
		at = tokens[h.Last-1].End
	}
	b.WriteString(text[at:])
	return b.String()
}

// Toggle masks a word of a text, or restores a masked word. words are the masked words, as in
// HiddenWords; newWords are the masked words of the new text. ok is false if the word behind the masks is
// unknown.
func (v *Vocabulary) Toggle(text string, tokens []Token, word Cell, words []string) (newText string,
	newWords []string, ok bool) {
	list, ok := v.HiddenWords(tokens, words)
	if !ok {
		return text, words, false
	}
	i := slices.IndexFunc(list, func(h Hidden) bool { return h.First >= word.First })
	if i < 0 {
		i = len(list)
	}
	if !tokens[word.First].IsMask() {
		list = slices.Insert(list, i, Hidden{Word: text[word.Start:word.End]})
		text = Hide(text, word)
	} else {
		j, shown := i, ""
		for ; j < len(list) && list[j].Last <= word.Last; j++ {
			if list[j].Word == "" {
				return text, words, false
			}
			shown += list[j].Word
		}
		list = slices.Delete(list, i, j)
		text = text[:word.Start] + shown + text[word.End:]
	}
	for _, h := range list {
		newWords = append(newWords, h.Word)
	}
	return text, newWords, true
}
