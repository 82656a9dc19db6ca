package predict

import (
	"math"
	"slices"

	"attnatlas/engine/encoder"
	"attnatlas/engine/fault"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
	"attnatlas/engine/tokenizer"
)

// HiddenWords requests predictions of masked words, instead of maps. The zero HiddenWords requests
// nothing.
type HiddenWords struct {
	// Truth is the request's text with the masked words restored. A [MASK] in it stands for an unknown
	// word.
	Truth string
	// Turns masks every word of Truth in turn, one at a time. Otherwise the words masked in the
	// request's text are predicted.
	Turns bool
}

// Asked reports whether predictions are requested.
func (h HiddenWords) Asked() bool { return h.Truth != "" }

// Attempt is a model's prediction of one masked word. All pieces of the word are masked together,
// and each is predicted from the context on both sides of the word. A model for next-token
// prediction reads only the text before a piece.
type Attempt struct {
	First, Last int // tokens of the word, excluding Last
	Pieces      []Guessed
}

// Guessed is a model's prediction of one piece of a masked word.
type Guessed struct {
	Words []Word // most probable pieces, by falling probability; at most TopWords
	Truth Word   // masked piece; the zero Word: unknown
	Rank  int    // its rank in the whole vocabulary, from 1; 0: unknown
}

// Known reports whether the masked word is known.
func (a Attempt) Known() bool {
	return !slices.ContainsFunc(a.Pieces, func(g Guessed) bool { return g.Rank == 0 })
}

// Right reports whether every piece of the masked word is the most probable at its position.
func (a Attempt) Right() bool {
	return !slices.ContainsFunc(a.Pieces, func(g Guessed) bool { return g.Rank != 1 })
}

// Truth returns the probability of the masked word, 0…1: the product over its pieces.
func (a Attempt) Truth() float64 {
	p := 1.0
	for _, g := range a.Pieces {
		p *= g.Truth.P
	}
	return p
}

// Top returns the probability of the predicted word: the product over its pieces.
func (a Attempt) Top() float64 {
	p := 1.0
	for _, g := range a.Pieces {
		p *= g.Words[0].P
	}
	return p
}

// Hiding is one word to predict, with the texts for the prediction.
type Hiding struct {
	word  tokenizer.Cell
	text  []int // ids of the text with the word masked
	truth []int // ids of the text with the word
}

// Hidings lists the masked words of a request's text in order.
func (h HiddenWords) Hidings(v *tokenizer.Vocabulary, read string) ([]Hiding, error) {
	hidden, _ := v.EncodePair(read)
	shown, _ := v.EncodePair(h.Truth)
	text, tokens := read, hidden
	if h.Turns {
		text, tokens = h.Truth, shown
	}
	var all []Hiding
	for _, word := range v.Words(text, tokens) {
		one := Hiding{word: word, text: tokenizer.IDs(tokens), truth: tokenizer.IDs(shown)}
		if len(one.text) != len(one.truth) {
			return nil, fault.Errorf(fault.Invalid, "error.race.truth", "hidden", len(one.text), "shown", len(one.truth))
		}
		if tokens[word.First].IsMask() == h.Turns {
			continue // it is not masked, or unknown
		}
		for i := word.First; i < word.Last; i++ {
			one.text[i] = v.MASK()
		}
		all = append(all, one)
	}
	return all, nil
}

// Pieces returns the number of pieces of the word.
func (h Hiding) Pieces() int { return h.word.Last - h.word.First }

// Guess runs the model in a pass and returns its prediction of the word. segments are those of the
// text, if it is a pair.
func (h Hiding) Guess(v *tokenizer.Vocabulary, m *encoder.Model, p *nn.Pass, segments []int) Attempt {
	a := Attempt{First: h.word.First, Last: h.word.Last}
	in, from := encoder.Input{Count: 1, IDs: h.text}, h.word.First
	if m.Config.Objective == encoder.NextWord {
		// Causality: no piece affects its own prediction, or earlier ones.
		copy(in.IDs[h.word.First:], h.truth[h.word.First:h.word.Last])
		from--
	}
	if m.Config.Types > 1 {
		in.Types = segments
	}
	at := make([]int, h.Pieces())
	for i := range at {
		at[i] = from + i
	}
	scores := m.Words(p, m.Run(p, in), at).Value // [pieces,V]
	for i := range at {
		a.Pieces = append(a.Pieces, guessed(v, scores.Sub(i), h.truth[h.word.First+i]))
	}
	return a
}

// guessed returns the prediction of one piece from the logits [V].
func guessed(v *tokenizer.Vocabulary, scores *tensor.T, truth int) Guessed {
	p := Probabilities(scores)
	g := Guessed{Words: mostProbable(v, p)}
	if truth == v.MASK() {
		return g
	}
	g.Truth, g.Rank = Word{v.Piece(truth), float64(p[truth])}, 1
	for id, share := range p {
		if share > p[truth] || share == p[truth] && id < truth { // equal values in the order of their ids, as in mostProbable
			g.Rank++
		}
	}
	return g
}

// Loss returns the mean of −ln p in nats over all pieces of known masked words, and the number of
// these pieces. p is the probability that the model gives to the piece. Without pieces the loss is
// 0.
func Loss(list []Attempt) (nats float64, pieces int) {
	for _, a := range list {
		for _, g := range a.Pieces {
			if g.Rank > 0 {
				nats, pieces = nats-math.Log(max(g.Truth.P, math.SmallestNonzeroFloat32)), pieces+1
			}
		}
	}
	return nats / float64(max(pieces, 1)), pieces
}
