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

// A form masks a word of the token strip, or restores it, with hide=START.END: the bytes of the
// word in the text. In a URL typed by hand, hide=7 (the number of one of its tokens on the page)
// and hide=mat (the first word with this spelling) also work. The response redirects to the page
// with the new text. Its URL stores the masked words: was=WORD for each word, and was= for a [MASK]
// that the visitor typed.

// Hide is the key that masks or restores a word.
const Hide = "hide"

// HideTable is the table with the word to mask.
var HideTable = ParamTable[string]{String(Hide, func(word *string) *string { return word })}

// WordKey returns the name of a word of a text: START.END, in bytes.
func WordKey(w tokenizer.Cell) string { return strconv.Itoa(w.Start) + "." + strconv.Itoa(w.End) }

// Hidden returns the known pieces behind the masks of a text, by token number.
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

// consistent returns the state without masked words that do not fit its text, which can have
// changed since. It also removes redundant heads of cards.
func (s State) consistent(vocab *tokenizer.Vocabulary) State {
	s = s.plain()
	if len(s.Was) > 0 && len(s.Hidden(vocab)) == 0 {
		s.Was = nil
	}
	return s
}

// Toggle masks or restores the word of a query. asked reports whether the query names a word. A
// text that cannot be inspected does not change.
func Toggle(v url.Values, s State, vocab *tokenizer.Vocabulary) (next State, asked bool, err error) {
	if !v.Has(Hide) || CheckText(s.Text) != nil {
		return s, false, nil
	}
	for _, text := range []string{s.Text, strings.ReplaceAll(s.Text, "\r\n",
		"\n")} { // a form sends other line ends
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

// wordCalled finds a word by its bytes, by the number of one of its tokens, or by its spelling.
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

// Limits of bytes that are not tokens, such as spaces and characters that no model reads. Pages
// repeat the text in links.
const (
	freeBytes  = 4 << 10
	tokenBytes = 32 // per token
)

// CheckText rejects texts that cannot be inspected: empty, or too long.
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
