package engine

import (
	"context"
	"slices"

	"attnatlas/engine/encoder"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
	"attnatlas/engine/tokenizer"
)

// Race asks models to guess hidden words, instead of maps. The zero Race asks nothing.
type Race struct {
	// Truth is the request's text with the hidden words in their places; a [MASK] that it still
	// has hides something that nobody knows.
	Truth string
	// Turns hides every word of Truth in its turn, and nothing else; otherwise the words are
	// guessed that the request's text hides.
	Turns bool
}

func (r Race) asked() bool { return r.Truth != "" }

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

// hiding is one word that is to be guessed, and what is read for it.
type hiding struct {
	word  tokenizer.Cell
	text  []int // ids of the text, in which the word is hidden
	truth []int // and in which it is not
}

// hidings lists the words that a race hides, in their order.
func (e *Engine) hidings(r Request) ([]hiding, error) {
	hidden, _ := Tokens(e.vocab, r.Text)
	shown, _ := Tokens(e.vocab, r.Race.Truth)
	text, tokens := r.Text, hidden
	if r.Race.Turns {
		text, tokens = r.Race.Truth, shown
	}
	var all []hiding
	for _, word := range e.vocab.Words(text, tokens) {
		h := hiding{word: word, text: idsOf(tokens), truth: idsOf(shown)}
		if len(h.text) != len(h.truth) {
			return nil, Errorf(Invalid, "error.race.truth", "hidden", len(h.text), "shown", len(h.truth))
		}
		if tokens[word.First].IsMask() == r.Race.Turns {
			continue // it is not hidden, or nobody knows it
		}
		for i := word.First; i < word.Last; i++ {
			h.text[i] = e.vocab.MASK()
		}
		all = append(all, h)
	}
	return all, nil
}

// race has a model guess, in passes that begin prepares.
func (e *Engine) race(ctx context.Context, m *model, begin func(*nn.Pass), text *Report, r Request) (attempts []Attempt, err error) {
	if m.seq2seq != nil {
		return nil, Errorf(Unsupported, "error.race.writes")
	}
	all, err := e.hidings(r)
	for _, h := range all {
		if err != nil {
			return nil, err
		}
		err = e.pass(ctx, func(p *nn.Pass) {
			begin(p)
			attempts = append(attempts, e.attempt(m.Model, p, h, text.Segments))
		})
	}
	return attempts, err
}

// attempt has a model guess one word.
func (e *Engine) attempt(m *encoder.Model, p *nn.Pass, h hiding, segments []int) Attempt {
	a := Attempt{First: h.word.First, Last: h.word.Last}
	in, from := encoder.Input{Count: 1, IDs: h.text}, h.word.First
	if m.Config.Objective == encoder.NextWord {
		copy(in.IDs[h.word.First:], h.truth[h.word.First:h.word.Last]) // none of them is read for itself, or for those before it
		from--
	}
	if m.Config.Types > 1 {
		in.Types = segments
	}
	at := make([]int, h.word.Last-h.word.First)
	for i := range at {
		at[i] = from + i
	}
	scores := m.Words(p, m.Run(p, in), at).Value // [pieces,V]
	for i := range at {
		a.Pieces = append(a.Pieces, e.guessed(scores.Sub(i), h.truth[h.word.First+i]))
	}
	return a
}

// guessed is what scores [V] say of one piece.
func (e *Engine) guessed(scores *tensor.T, truth int) Guessed {
	p := probabilities(scores)
	g := Guessed{Words: e.top(p)}
	if truth == e.vocab.MASK() {
		return g
	}
	g.Truth, g.Rank = Word{e.vocab.Piece(truth), float64(p[truth])}, 1
	for id, v := range p {
		if v > p[truth] || v == p[truth] && id < truth { // the first of equals first, as top has it
			g.Rank++
		}
	}
	return g
}

// raceCost is what mechanisms take to guess every word, when one pass of all of them takes so
// many operations.
func (e *Engine) raceCost(r Request, pass float64) Cost {
	all, err := e.hidings(r)
	if err != nil {
		return Cost{}
	}
	const perWord, width = 40, 128 // bytes of a Word, and numbers of a piece's scores
	models, pieces := len(r.Mechanisms), 0
	for _, h := range all {
		pieces += h.word.Last - h.word.First
	}
	scores := 2 * float64(models*pieces) * float64(e.vocab.Size()) * width
	return Cost{Operations: float64(len(all))*pass + scores, Bytes: int64(models * pieces * TopWords * perWord)}
}
