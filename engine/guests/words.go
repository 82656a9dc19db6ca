package guests

import (
	"slices"
	"strings"

	"attnatlas/engine/huggingface/tokenizers"
	"attnatlas/engine/tokenizer"
)

// words adapts a model's own tokenizer to the engine.
type words struct {
	own     *tokenizers.Tokenizer
	mask    string // the mask token of the model; empty: it has none
	maskID  int
	ordered *tokenizer.Vocabulary // its special ids mark special tokens
}

func newWords(t *tokenizers.Tokenizer) *words {
	w := &words{own: t, ordered: tokenizer.Default(), maskID: -1}
	if id, ok := t.Role("mask_token"); ok {
		w.maskID, w.mask = id, t.Entry(id)
	}
	return w
}

// Tokens implements engine.Words. A visitor's [MASK] is the model's own mask.
func (w *words) Tokens(text string) ([]tokenizer.Token, []int, error) {
	masked := w.masked(text)
	first, second, pair := strings.Cut(masked, tokenizer.PairMark)
	pair = pair && strings.TrimSpace(first) != "" && strings.TrimSpace(second) != ""
	var own []tokenizers.Token
	var err error
	if pair {
		own, err = w.own.EncodePair(first, second)
	} else {
		own, err = w.own.Encode(strings.Replace(masked, tokenizer.PairMark, "", 1))
	}
	if err != nil {
		return nil, nil, err
	}
	all := make([]tokenizer.Token, len(own))
	var segments []int
	if pair {
		segments = make([]int, len(own))
	}
	for i, t := range own {
		if t.Sequence == 1 {
			t.Start, t.End = t.Start+len(first)+len(tokenizer.PairMark), t.End+len(first)+len(tokenizer.PairMark)
		}
		if pair && i > 0 && (t.Sequence == 1 || segments[i-1] == 1) {
			segments[i] = 1
		}
		if t.Special && i > 0 {
			t.Start = w.ending(own[i:], masked, len(first), pair)
			t.End = t.Start
		}
		all[i] = w.token(t, masked, i)
	}
	w.unmask(all, text)
	return all, segments, nil
}

// ending returns the position of a special token that the tokenizer adds: after the first text of a pair, or at
// the end.
func (w *words) ending(rest []tokenizers.Token, text string, first int, pair bool) int {
	if pair && slices.ContainsFunc(rest, func(t tokenizers.Token) bool { return t.Sequence == 1 && !t.Special }) {
		return first
	}
	return len(text)
}

// token converts a token of the model to a token of the engine.
func (w *words) token(t tokenizers.Token, text string, at int) tokenizer.Token {
	one := tokenizer.Token{ID: tokenizer.FirstLearned + t.ID, Piece: t.Text, Text: text[t.Start:t.End], Start: t.Start,
		End: t.End}
	switch {
	case t.ID == w.maskID: // its text can include the spaces around it
		one.ID, one.Piece, one.Text = w.ordered.MASK(), w.mask, w.mask
	case t.Special && at == 0:
		one.ID, one.Text = w.ordered.CLS(), t.Text
	case t.Special:
		one.ID, one.Text = w.ordered.SEP(), t.Text
	}
	return one
}

// masked returns a text with the engine's mask replaced by the model's.
func (w *words) masked(text string) string {
	if w.mask == "" {
		return text
	}
	return strings.ReplaceAll(text, w.ordered.Piece(w.ordered.MASK()), w.mask)
}

// unmask moves the positions of tokens from the masked text to the text that the visitor wrote.
func (w *words) unmask(tokens []tokenizer.Token, text string) {
	mark := w.ordered.Piece(w.ordered.MASK())
	if w.mask == "" || mark == w.mask || !strings.Contains(text, mark) {
		return
	}
	longer := len(mark) - len(w.mask)
	place := func(at int) int { // masks that end before it have shifted it
		moved := at + longer*strings.Count(w.masked(text)[:at], w.mask)
		return min(max(moved, 0), len(text))
	}
	for i := range tokens {
		tokens[i].Start, tokens[i].End = place(tokens[i].Start), place(tokens[i].End)
	}
}

// IDs implements engine.Words.
func (w *words) IDs(tokens []tokenizer.Token) []int {
	ids := make([]int, len(tokens))
	for i, t := range tokens {
		if t.ID >= tokenizer.FirstLearned {
			ids[i] = t.ID - tokenizer.FirstLearned
		} else if id, ok := w.own.ID(t.Piece); ok {
			ids[i] = id
		}
	}
	return ids
}

// Piece implements engine.Words: it decodes an id, or returns its entry if that decodes to nothing.
func (w *words) Piece(id int) string {
	if spelled := strings.TrimSpace(w.own.Decode([]int{id})); spelled != "" {
		return spelled
	}
	return w.own.Entry(id)
}

// Decode implements predict.Writer.
func (w *words) Decode(ids []int) string { return w.own.Decode(ids) }

// Ends implements predict.Writer.
func (w *words) Ends() []int {
	if id, ok := w.own.Role("eos_token"); ok {
		return []int{id}
	}
	return nil
}

// Specials implements predict.Writer.
func (w *words) Specials() []int { return w.own.Specials() }

// atlasWords adapts the Atlas' own tokens to a layer without a tokenizer.
type atlasWords struct{ *tokenizer.Vocabulary }

// Tokens implements engine.Words.
func (w atlasWords) Tokens(text string) ([]tokenizer.Token, []int, error) {
	tokens, segments := w.EncodePair(text)
	return tokens, segments, nil
}

// IDs implements engine.Words.
func (atlasWords) IDs(tokens []tokenizer.Token) []int { return tokenizer.IDs(tokens) }
