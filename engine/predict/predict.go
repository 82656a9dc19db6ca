// Package predict has the answers of models in words: predictions of hidden or next words, guesses at hidden words
// next to the truth, and the text that an encoder–decoder writes.
package predict

import (
	"slices"

	"attnatlas/engine/ad"
	"attnatlas/engine/encoder"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
	"attnatlas/engine/tokenizer"
)

// TopWords is how many words a Prediction lists.
const TopWords = 10

// Prediction is what a model takes a word to be: one that is hidden by [MASK], or the
// one after a token.
type Prediction struct {
	At    int    // number of the token, from 0
	Next  bool   // the word after the token, not the one that the token hides
	Words []Word // the likeliest, by falling probability; at most TopWords
}

// Word is one word piece of a Prediction and its probability 0…1 among the whole
// vocabulary.
type Word struct {
	Piece string // the vocabulary's spelling
	P     float64
}

// Speller spells the words of a vocabulary.
type Speller interface{ Piece(id int) string }

// Words asks the model for the words at every [MASK], or after every token but
// the last [SEP] if it guesses the next word. x is the encoded text [1,N,d].
func Words(v Speller, m *encoder.Model, p *nn.Pass, x *ad.Var, tokens []tokenizer.Token) []Prediction {
	if !m.Guesses() {
		return nil
	}
	next := m.Config.Objective == encoder.NextWord
	var at []int
	for i, t := range tokens {
		if next && i < len(tokens)-1 || !next && t.IsMask() {
			at = append(at, i)
		}
	}
	if len(at) == 0 {
		return nil
	}
	scores := m.Words(p, x, at).Value // [M,V]
	list := make([]Prediction, len(at))
	for i := range list {
		list[i] = Prediction{At: at[i], Next: next, Words: Top(v, Probabilities(scores.Sub(i)))}
	}
	return list
}

// Probabilities are those of all pieces [V] by their scores [V].
func Probabilities(scores *tensor.T) []tensor.Elem {
	p := make([]tensor.Elem, scores.Len())
	tensor.SoftmaxRows(p, scores.Data, len(p))
	return p
}

// Top are the likeliest words by their probabilities [V].
func Top(v Speller, p []tensor.Elem) []Word {
	best := Likeliest(p, TopWords)
	words := make([]Word, len(best))
	for i, id := range best {
		words[i] = Word{v.Piece(id), float64(p[id])}
	}
	return words
}

// Likeliest are the ids of the n largest of the scores or probabilities [V], falling; the first
// of equals comes first.
func Likeliest(scores []tensor.Elem, n int) []int {
	best := make([]int, 0, n+1)
	for i, v := range scores {
		if len(best) == n && v <= scores[best[n-1]] {
			continue
		}
		at := len(best)
		for at > 0 && v > scores[best[at-1]] {
			at--
		}
		best = slices.Insert(best, at, i)
		best = best[:min(len(best), n)]
	}
	return best
}
