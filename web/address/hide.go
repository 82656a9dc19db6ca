package address

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"attnatlas/engine"
	"attnatlas/engine/fault"
	"attnatlas/engine/tokenizer"
)

// A word of the token strip is hidden behind [MASK], or shown again, by a form that asks
// for hide=START.END, the bytes of the word in the text. Who writes an address may as well say
// hide=7, the place of one of its tokens as the page counts them, or hide=mat, the first word that
// is written so. The answer leads to the page
// with the new text, whose address knows what is hidden: was=WORD for each word, and was=
// for a [MASK] that somebody wrote.

// Hide asks for a word to be hidden or shown.
const Hide = "hide"

// HideTable has the parameter of the word.
var HideTable = ParamTable[string]{String(Hide, func(word *string) *string { return word })}

// WordKey names a word of a text.
func WordKey(w tokenizer.Cell) string { return strconv.Itoa(w.Start) + "." + strconv.Itoa(w.End) }

// Hidden are the pieces behind the masks of a text, by the number of their token, where
// the state knows them.
func (s State) Hidden(vocab *tokenizer.Vocabulary) map[int]tokenizer.Token {
	if len(s.Was) == 0 || len(s.Text) > engine.MaxTextBytes {
		return nil
	}
	tokens, _ := vocab.EncodePair(s.Text)
	list, ok := vocab.HiddenWords(tokens, s.Was)
	if !ok {
		return nil
	}
	before, _ := vocab.EncodePair(tokenizer.Reveal(s.Text, tokens, list))
	if len(before) != len(tokens) {
		return nil
	}
	found := map[int]tokenizer.Token{}
	for _, h := range list {
		for i := h.First; i < h.Last && h.Word != ""; i++ {
			found[i] = before[i]
		}
	}
	for i, t := range tokens {
		if _, hidden := found[i]; !hidden && t.ID != before[i].ID || hidden && before[i].IsMask() {
			return nil
		}
	}
	return found
}

// consistent is the state, without what masks hide if that does not fit its text, which may
// have been changed since, and without heads of cards that are those of all.
func (s State) consistent(vocab *tokenizer.Vocabulary) State {
	s = s.plain()
	if len(s.Was) > 0 && len(s.Hidden(vocab)) == 0 {
		s.Was = nil
	}
	return s
}

// Toggle reads whether a word is to be hidden or shown, and in which state that ends. Of a
// text that is not inspected, no word is.
func Toggle(v url.Values, s State, vocab *tokenizer.Vocabulary) (next State, asked bool, err error) {
	if !v.Has(Hide) || CheckText(s.Text) != nil {
		return s, false, nil
	}
	for _, text := range []string{s.Text, strings.ReplaceAll(s.Text, "\r\n",
		"\n")} { // a form writes the ends of lines its own way
		tokens, _ := vocab.EncodePair(text)
		word, ok := wordCalled(v.Get(Hide), text, vocab.Words(text, tokens))
		if !ok {
			continue
		}
		s.Text, s.Was, ok = vocab.Toggle(text, tokens, word, s.Was)
		if ok {
			return s.consistent(vocab), true, nil
		}
		return s, true, fault.Errorf(fault.Invalid, "error.hidden-word")
	}
	return s, true, fault.Errorf(fault.Invalid, "error.no-word", "hide", quote(v.Get(Hide)))
}

// wordCalled finds a word by its bytes, by the place of one of its tokens, or by how it is written.
func wordCalled(name, text string, words []tokenizer.Cell) (tokenizer.Cell, bool) {
	place, _ := WholeNumber(name)
	for _, is := range []func(tokenizer.Cell) bool{
		func(w tokenizer.Cell) bool { return WordKey(w) == name },
		func(w tokenizer.Cell) bool { return w.First < place && place <= w.Last },
		func(w tokenizer.Cell) bool { return text[w.Start:w.End] == name },
	} {
		if i := slices.IndexFunc(words, is); i >= 0 {
			return words[i], true
		}
	}
	return tokenizer.Cell{}, false
}

// Bounds of what a text may have besides its tokens, such as spaces and marks that no model reads: pages repeat it in
// links.
const (
	freeBytes  = 4 << 10
	tokenBytes = 32 // for each token
)

// CheckText refuses a text that there is no point in inspecting.
func CheckText(text string) error {
	if len(text) > engine.MaxTextBytes {
		return fault.Errorf(fault.TooLarge, "error.text-size", "bytes", len(text), "most", engine.MaxTextBytes)
	}
	if strings.TrimSpace(text) == "" {
		return fault.Errorf(fault.Invalid, "error.empty-text")
	}
	if len(text) <= freeBytes {
		return nil
	}
	if tokens := tokenizer.Default().Count(text); len(text) > freeBytes+tokenBytes*tokens {
		return fault.Errorf(fault.Invalid, "error.sparse-text", "bytes", len(text), "tokens", tokens)
	}
	return nil
}
