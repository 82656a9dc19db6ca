// Package predict holds the predictions of models in words: predictions of masked or next tokens,
// predictions of masked words with the original words, the text that an encoder–decoder writes, and
// continued texts.
package predict

import (
	"slices"

	"attnatlas/engine/ad"
	"attnatlas/engine/encoder"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
	"attnatlas/engine/tokenizer"
)

// TopWords is the number of pieces that a Prediction lists.
const TopWords = 10

// Prediction is a model's prediction of a masked token, or of the token after another.
type Prediction struct {
	At    int    // index of the token, from 0
	Next  bool   // the prediction is for the token after it
	Words []Word // most probable pieces, by falling probability; at most TopWords
}

// Word is one piece of a Prediction with its probability 0…1 over the whole vocabulary.
type Word struct {
	Piece string // the vocabulary's spelling
	P     float64
}

// Speller returns the spelling of a vocabulary's pieces.
type Speller interface{ Piece(id int) string }

// Words returns the model's predictions at every [MASK]. A model for next-token prediction predicts
// after every token but the last [SEP]. x is the encoded text [1,N,d].
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
		list[i] = Prediction{At: at[i], Next: next, Words: mostProbable(v, Probabilities(scores.Sub(i)))}
	}
	return list
}

// Probabilities returns the softmax of the logits [V].
func Probabilities(scores *tensor.T) []tensor.Elem {
	p := make([]tensor.Elem, scores.Len())
	tensor.SoftmaxRows(p, scores.Data, len(p))
	return p
}

// mostProbable returns the most probable pieces, given the probabilities [V].
func mostProbable(v Speller, p []tensor.Elem) []Word {
	best := Likeliest(p, TopWords)
	words := make([]Word, len(best))
	for i, id := range best {
		words[i] = Word{v.Piece(id), float64(p[id])}
	}
	return words
}

// Likeliest returns the ids of the n largest scores or probabilities [V], in falling order. Equal
// values stay in the order of their ids.
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
