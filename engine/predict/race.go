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

// HiddenWords asks models to guess words, instead of maps. The zero HiddenWords asks nothing.
type HiddenWords struct {
	// Truth is the request's text with the hidden words in their places; a [MASK] that it still
	// has hides something that nobody knows.
	Truth string
	// Turns hides every word of Truth in its turn, and nothing else; otherwise the words are
	// guessed that the request's text hides.
	Turns bool
}

// Asked says whether something is asked.
func (h HiddenWords) Asked() bool { return h.Truth != "" }

// Attempt is how a model guesses one hidden word. All pieces of the word are hidden together,
// and each is guessed from what stands on both sides of the word; a model that guesses the next
// word reads what stands before a piece, and nothing behind it.
type Attempt struct {
	First, Last int // the tokens of the word, without Last
	Pieces      []Guessed
}

// Guessed is what a model takes one piece of a hidden word to be.
type Guessed struct {
	Words []Word // the likeliest, by falling probability; at most TopWords
	Truth Word   // the piece that is hidden; the zero Word: nobody knows
	Rank  int    // its place among the whole vocabulary, from 1; 0: nobody knows
}

// Known says that the hidden word is known.
func (a Attempt) Known() bool {
	return !slices.ContainsFunc(a.Pieces, func(g Guessed) bool { return g.Rank == 0 })
}

// Right says that every piece of the hidden word is the likeliest at its place.
func (a Attempt) Right() bool {
	return !slices.ContainsFunc(a.Pieces, func(g Guessed) bool { return g.Rank != 1 })
}

// Truth is the probability of the hidden word, 0…1: the product of those of its pieces.
func (a Attempt) Truth() float64 {
	p := 1.0
	for _, g := range a.Pieces {
		p *= g.Truth.P
	}
	return p
}

// Top is the probability of the word that is guessed: the product of those of its pieces.
func (a Attempt) Top() float64 {
	p := 1.0
	for _, g := range a.Pieces {
		p *= g.Words[0].P
	}
	return p
}

// Hiding is one word that is to be guessed, and what is read for it.
type Hiding struct {
	word  tokenizer.Cell
	text  []int // ids of the text, in which the word is hidden
	truth []int // and in which it is not
}

// Hidings lists the words of a request's text that are hidden, in their order.
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
			continue // it is not hidden, or nobody knows it
		}
		for i := word.First; i < word.Last; i++ {
			one.text[i] = v.MASK()
		}
		all = append(all, one)
	}
	return all, nil
}

// Pieces is how many pieces the word has.
func (h Hiding) Pieces() int { return h.word.Last - h.word.First }

// Guess has a model guess the word in a pass. Segments are those of the text, where it is a pair.
func (h Hiding) Guess(v *tokenizer.Vocabulary, m *encoder.Model, p *nn.Pass, segments []int) Attempt {
	a := Attempt{First: h.word.First, Last: h.word.Last}
	in, from := encoder.Input{Count: 1, IDs: h.text}, h.word.First
	if m.Config.Objective == encoder.NextWord {
		copy(in.IDs[h.word.First:], h.truth[h.word.First:h.word.Last]) // none of them is read for itself, or for those before it
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

// guessed is what scores [V] say of one piece.
func guessed(v *tokenizer.Vocabulary, scores *tensor.T, truth int) Guessed {
	p := Probabilities(scores)
	g := Guessed{Words: Top(v, p)}
	if truth == v.MASK() {
		return g
	}
	g.Truth, g.Rank = Word{v.Piece(truth), float64(p[truth])}, 1
	for id, share := range p {
		if share > p[truth] || share == p[truth] && id < truth { // the first of equals first, as top has it
			g.Rank++
		}
	}
	return g
}

// Loss is the mean of −ln p over all pieces of hidden words that are known, in nats, where p is the probability that
// the model gives the piece; of no pieces it is 0.
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
