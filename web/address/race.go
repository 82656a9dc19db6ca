package address

import (
	"net/url"

	"attnatlas/engine"
	"attnatlas/engine/predict"
	"attnatlas/engine/tokenizer"
)

// Race is the key of the page on which all models fill in a masked word: race=1 for the first
// masked word, race=2 for the second, and race=all for every word, masked in turn.
const Race = "race"

// EveryWord is the Race in which every word is masked in turn.
const EveryWord = -1

const everyWord = "all"

// race reads the number of the masked word.
func (d *Decoder) race(key string) int {
	value, ok := d.Get(key)
	if !ok || value == "" || value == "0" {
		return 0
	}
	if value == everyWord {
		return EveryWord
	}
	n, ok := WholeNumber(value)
	if !ok {
		d.Fail(key, "param.race", "value", quote(value))
	}
	return n
}

// raced writes the number of the masked word.
func raced(race int) string {
	if race == EveryWord {
		return everyWord
	}
	return count(race)
}

// Contest returns the engine request for the fill-in page of a state, with these models.
func (s State) Contest(vocab *tokenizer.Vocabulary, ids []string) engine.Request {
	r := engine.Request{Text: s.Text, Mechanisms: ids, Mask: s.Mask, Cuts: s.Cuts,
		Race: predict.HiddenWords{Truth: s.Unmasked(vocab)}}
	if s.Race == EveryWord {
		r.Text, r.Race.Turns = r.Race.Truth, true // the same for any masked words
	}
	return r
}

// words returns the words of the state's text, and the indices of the masked ones.
func (s State) words(vocab *tokenizer.Vocabulary) (words []tokenizer.Cell, hidden []int) {
	tokens, _ := vocab.EncodePair(s.Text)
	words = vocab.Words(s.Text, tokens)
	for i, w := range words {
		if tokens[w.First].IsMask() {
			hidden = append(hidden, i)
		}
	}
	return words, hidden
}

// HiddenCount returns the number of masked words; adjacent masks count as one.
func (s State) HiddenCount(vocab *tokenizer.Vocabulary) int {
	_, hidden := s.words(vocab)
	return len(hidden)
}

// HideWord returns the state in which another word of the text is masked, with its predictions.
func (s State) HideWord(vocab *tokenizer.Vocabulary, word tokenizer.Cell) (next State, ok bool) {
	next, asked, err := Toggle(url.Values{Hide: {WordKey(word)}}, s, vocab)
	if !asked || err != nil {
		return s, false
	}
	next.Race = next.numberAt(vocab, word.Start)
	return next, next.Race > 0
}

// numberAt returns the number, from 1, of the masked word that begins at a byte, or 0.
func (s State) numberAt(vocab *tokenizer.Vocabulary, start int) int {
	words, hidden := s.words(vocab)
	for k, i := range hidden {
		if words[i].Start == start {
			return k + 1
		}
	}
	return 0
}

// Moved returns the state in which the next word is masked instead of the current one, or the
// previous word if by is negative. ok is false at the ends of the text, and if the masked word is
// unknown.
func (s State) Moved(vocab *tokenizer.Vocabulary, by int) (next State, ok bool) {
	words, hidden := s.words(vocab)
	if s.Race < 1 || s.Race > len(hidden) {
		return s, false
	}
	from := words[hidden[s.Race-1]]
	next, asked, err := Toggle(url.Values{Hide: {WordKey(from)}}, s, vocab)
	if !asked || err != nil {
		return s, false
	}
	end := from.End + len(next.Text) - len(s.Text)
	to, found := tokenizer.Cell{}, false
	tokens, _ := vocab.EncodePair(next.Text)
	for _, w := range vocab.Words(next.Text, tokens) {
		switch {
		case tokens[w.First].IsMask():
		case by < 0 && w.End <= from.Start:
			to, found = w, true
		case by > 0 && w.Start >= end && !found:
			to, found = w, true
		}
	}
	if !found {
		return s, false
	}
	return next.HideWord(vocab, to)
}
