package address

import (
	"net/url"

	"attnatlas/engine"
	"attnatlas/engine/predict"
	"attnatlas/engine/tokenizer"
)

// Race opens the board on which all models guess a hidden word: race=1 of the first that is
// hidden, race=2 of the second, and race=all of every word, each hidden in its turn.
const Race = "race"

// EveryWord is the Race of all words in turn.
const EveryWord = -1

const everyWord = "all"

// race reads which word is guessed.
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

// raced writes it.
func raced(race int) string {
	if race == EveryWord {
		return everyWord
	}
	return count(race)
}

// Shown is the text of a state with every word in its place that masks hide and somebody knows.
func (s State) Shown(vocab *tokenizer.Vocabulary) string {
	if len(s.Hidden(vocab)) == 0 {
		return s.Text
	}
	tokens, _ := vocab.EncodePair(s.Text)
	list, _ := vocab.HiddenWords(tokens, s.Was)
	return tokenizer.Reveal(s.Text, tokens, list)
}

// Contest is what the engine is asked for the board of a state, on which these models are.
func (s State) Contest(vocab *tokenizer.Vocabulary, ids []string) engine.Request {
	r := engine.Request{Text: s.Text, Mechanisms: ids, Mask: s.Mask, Cuts: s.Cuts,
		Race: predict.HiddenWords{Truth: s.Shown(vocab)}}
	if s.Race == EveryWord {
		r.Text, r.Race.Turns = r.Race.Truth, true // the same whatever is hidden
	}
	return r
}

// words are those of the state's text, and the places among them of those that are hidden.
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

// HiddenCount is how many words of the text are hidden; masks that touch each other are one.
func (s State) HiddenCount(vocab *tokenizer.Vocabulary) int {
	_, hidden := s.words(vocab)
	return len(hidden)
}

// HideWord is the state in which a word of the text is hidden too, with its board.
func (s State) HideWord(vocab *tokenizer.Vocabulary, word tokenizer.Cell) (next State, ok bool) {
	next, asked, err := Toggle(url.Values{Hide: {WordKey(word)}}, s, vocab)
	if !asked || err != nil {
		return s, false
	}
	next.Race = next.numberAt(vocab, word.Start)
	return next, next.Race > 0
}

// numberAt is the number, from 1, of the hidden word that begins at a byte; 0: there is none.
func (s State) numberAt(vocab *tokenizer.Vocabulary, start int) int {
	words, hidden := s.words(vocab)
	for k, i := range hidden {
		if words[i].Start == start {
			return k + 1
		}
	}
	return 0
}

// Moved is the state in which, instead of the word of its board, the one after it is hidden, or
// with by below 0 the one before it. It fails at the end of the text, and where nobody knows
// what is hidden.
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
