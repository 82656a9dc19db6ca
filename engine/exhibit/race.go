package exhibit

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"

	"attnatlas/engine"
	"attnatlas/engine/encoder"
	"attnatlas/engine/predict"
	"attnatlas/engine/tokenizer"
)

// Board has the predictions of all models of a report for one masked word, the best first. The best model gives
// the masked word the largest probability. If the word is unknown, the best model gives its own prediction the
// largest probability.
type Board struct {
	First, Last int    // the tokens of the word; Last is not included
	Word        string // the masked word; empty: unknown
	Racers      []Racer
	Out         []*engine.Result // models without a prediction, each with its Err
}

// Racer is one model on a Board.
type Racer struct {
	*engine.Result
	predict.Attempt
	Place int    // rank, from 1; equally good models have the same
	Guess string // the word that the model finds most likely
	Usual int    // rank by validation loss among the models that were trained on masked words; 0: none
}

// Next reports whether the model was trained on next-token prediction. Such a model attends only to what stands
// before a word, and its loss belongs to another task.
func (r Racer) Next() bool {
	return r.Stack != nil && r.Stack.Objective == encoder.NextWord
}

// Boards returns the boards of a report on filling in, one for each word.
func Boards(r *engine.Report) []Board {
	words := 0
	for _, m := range r.Mechanisms {
		words = max(words, len(m.Attempts))
	}
	all := make([]Board, words)
	for k := range all {
		all[k] = board(r, k)
	}
	return all
}

// board returns the board of the word with this index, from 0.
func board(r *engine.Report, k int) (b Board) {
	for i := range r.Mechanisms {
		m := &r.Mechanisms[i]
		if m.Err != nil || k >= len(m.Attempts) {
			b.Out = append(b.Out, m)
			continue
		}
		a := m.Attempts[k]
		b.First, b.Last = a.First, a.Last
		if a.Known() {
			b.Word = spelled(a, func(g predict.Guessed) string { return g.Truth.Piece })
		}
		b.Racers = append(b.Racers, Racer{Result: m, Attempt: a, Guess: GuessOf(a)})
	}
	b.usual()
	slices.SortStableFunc(b.Racers, func(x, y Racer) int { return cmp.Compare(b.Amount(y), b.Amount(x)) })
	for i := range b.Racers {
		b.Racers[i].Place = i + 1
		if i > 0 && b.Amount(b.Racers[i]) == b.Amount(b.Racers[i-1]) {
			b.Racers[i].Place = b.Racers[i-1].Place
		}
	}
	return b
}

// usual ranks the models that were trained on masked words by their losses.
func (b *Board) usual() {
	var losses []float64
	of := func(r Racer) float64 {
		if r.Next() || r.Model == nil {
			return 0
		}
		return r.Model.Loss
	}
	for _, r := range b.Racers {
		if loss := of(r); loss > 0 {
			losses = append(losses, loss)
		}
	}
	slices.Sort(losses)
	for i, r := range b.Racers {
		b.Racers[i].Usual = 1 + slices.Index(losses, of(r))
	}
}

// Amount returns the value by which the models of the board are sorted.
func (b Board) Amount(r Racer) float64 {
	if b.Word != "" {
		return r.Truth()
	}
	return r.Top()
}

// Right returns the number of models that predict the masked word.
func (b Board) Right() (n int) {
	for _, r := range b.Racers {
		if r.Right() {
			n++
		}
	}
	return n
}

// Spread returns how much the models disagree about the masked word: the standard deviation of the probabilities
// that they give to it.
func (b Board) Spread() float64 {
	n, sum, squares := float64(len(b.Racers)), 0.0, 0.0
	for _, r := range b.Racers {
		sum, squares = sum+r.Truth(), squares+r.Truth()*r.Truth()
	}
	if n == 0 {
		return 0
	}
	return math.Sqrt(max(0, squares/n-(sum/n)*(sum/n)))
}

// Disputed returns the board of the word with letters about which the models disagree most, or nil if there is
// none.
func Disputed(boards []Board) *Board {
	var best *Board
	for i := range boards {
		b := &boards[i]
		if strings.ContainsFunc(b.Word, unicode.IsLetter) && b.Spread() > 0 && (best == nil || b.Spread() > best.Spread()) {
			best = b
		}
	}
	return best
}

// GuessOf returns the word that a model finds most likely, as people write it.
func GuessOf(a predict.Attempt) string {
	return spelled(a, func(g predict.Guessed) string { return g.Words[0].Piece })
}

// spelled joins the word pieces of a word as people write it.
func spelled(a predict.Attempt, piece func(predict.Guessed) string) string {
	var b strings.Builder
	for i, g := range a.Pieces {
		label := tokenizer.PieceLabel(piece(g))
		rest, joined := strings.CutPrefix(label, "##")
		switch {
		case i == 0:
			b.WriteString(label)
		case joined:
			b.WriteString(rest)
		default:
			b.WriteString(" " + label)
		}
	}
	return b.String()
}

// Score is the result of a model for the words of a text, each masked in turn.
type Score struct {
	*engine.Result
	Right, Words int
	Surprise     float64 // mean of −ln of the probability of a masked word, in nats
}

// Scores returns the scores of a report on filling in word by word. They are sorted by the number of words
// predicted correctly, then by the lowest surprise.
func Scores(r *engine.Report) []Score {
	var all []Score
	for i := range r.Mechanisms {
		m := &r.Mechanisms[i]
		if m.Err != nil || len(m.Attempts) == 0 {
			continue
		}
		s := Score{Result: m, Words: len(m.Attempts)}
		for _, a := range m.Attempts {
			if a.Right() {
				s.Right++
			}
			s.Surprise -= math.Log(max(a.Truth(), math.SmallestNonzeroFloat32)) / float64(s.Words)
		}
		all = append(all, s)
	}
	slices.SortStableFunc(all, func(a, b Score) int {
		return cmp.Or(cmp.Compare(b.Right, a.Right), cmp.Compare(a.Surprise, b.Surprise))
	})
	return all
}
