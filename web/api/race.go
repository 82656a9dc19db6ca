package api

import (
	"attnatlas/engine"
	"attnatlas/engine/exhibit"
)

// Race is the answer of /api/v1/race.
type Race struct {
	Version int           `json:"version" doc:"Version of this format"`
	Text    string        `json:"text" doc:"The text with its hidden words, or with race=all without; bytes that are not UTF-8 appear as U+FFFD"`
	Mask    string        `json:"mask" enum:"none,causal"`
	Tokens  []AttendToken `json:"tokens"`
	Words   []RaceWord    `json:"words" doc:"The words that were guessed, in the order of the text"`
	Scores  []RaceScore   `json:"scores,omitempty" doc:"With race=all: how many of the words each model guesses, the best first"`
}

// RaceWord is how all models guess one word.
type RaceWord struct {
	First  int         `json:"first" doc:"Number of its first token, from 0"`
	Last   int         `json:"last" doc:"Number of the token behind its last"`
	Hidden string      `json:"hidden,omitempty" doc:"The hidden word; absent where nobody knows it"`
	Models []RaceModel `json:"models" doc:"By falling probability of the hidden word; where nobody knows it, of their own guess"`
	Out    []RaceOut   `json:"out,omitempty" doc:"Those that do not guess"`
}

// RaceModel is how one model guesses a word.
type RaceModel struct {
	ID     string      `json:"id"`
	Place  int         `json:"place" doc:"From 1; those that are as good have the same"`
	Guess  string      `json:"guess" doc:"The word of the likeliest pieces"`
	P      float64     `json:"p" doc:"Its probability: the product of those of its pieces, which are hidden together"`
	Right  bool        `json:"right,omitempty" doc:"Whether it is the hidden word, in all pieces"`
	Hidden *float64    `json:"hidden,omitempty" doc:"The probability of the hidden word, likewise; absent where nobody knows it"`
	Pieces []RacePiece `json:"pieces"`
	Loss   float64     `json:"loss,omitempty" doc:"What to expect: its validation loss, in nats per hidden piece, or of a model that guesses next words per piece"`
	Usual  int         `json:"usual,omitempty" doc:"The place by validation loss, of models that learned to guess hidden words"`
	Next   bool        `json:"next,omitempty" doc:"Whether it learned to guess next words: it reads only what stands before a piece, also before the later ones of the word"`
}

// RacePiece is how one piece of a word is guessed.
type RacePiece struct {
	Words  []AttendWord `json:"words" doc:"The likeliest pieces, by falling probability; at most 10"`
	Hidden *AttendWord  `json:"hidden,omitempty" doc:"The piece that is hidden; absent where nobody knows it"`
	Rank   int          `json:"rank,omitempty" doc:"Its place among the whole vocabulary, from 1"`
}

// RaceOut is a model that does not guess.
type RaceOut struct {
	ID    string `json:"id"`
	Error string `json:"error" doc:"Why"`
}

// RaceScore is how one model guesses the words of a text, each hidden in its turn.
type RaceScore struct {
	ID       string  `json:"id"`
	Right    int     `json:"right" doc:"How many words it guesses"`
	Words    int     `json:"words" doc:"Of how many"`
	Surprise float64 `json:"surprise" doc:"Mean of −ln of the probabilities of the hidden words, in nats"`
}

// NewRace describes a report on a race. Of the boards, number says which, from 1; 0: all. say says why
// a model does not guess.
func NewRace(r *engine.Report, mask string, number int, say func(error) string) Race {
	a := Race{Version: 1, Text: r.Text, Mask: mask, Tokens: tokens(r.Tokens), Words: []RaceWord{}}
	for i, b := range exhibit.Boards(r) {
		if number < 1 || number == i+1 {
			a.Words = append(a.Words, newRaceWord(b, say))
		}
	}
	return a
}

// Score adds what the models guess of all words together.
func (a *Race) Score(r *engine.Report) {
	for _, s := range exhibit.Scores(r) {
		a.Scores = append(a.Scores, RaceScore{ID: s.ID, Right: s.Right, Words: s.Words, Surprise: s.Surprise})
	}
}

func newRaceWord(b exhibit.Board, say func(error) string) RaceWord {
	w := RaceWord{First: b.First, Last: b.Last, Hidden: b.Word, Models: []RaceModel{}}
	for _, r := range b.Racers {
		m := RaceModel{ID: r.ID, Place: r.Place, Guess: r.Guess, P: r.Top(), Right: r.Right(), Usual: r.Usual, Next: r.Next()}
		if b.Word != "" {
			m.Hidden = new(r.Truth())
		}
		for _, g := range r.Pieces {
			piece := RacePiece{Words: words(g.Words), Rank: g.Rank}
			if g.Rank > 0 {
				piece.Hidden = &AttendWord{Piece: g.Truth.Piece, P: g.Truth.P}
			}
			m.Pieces = append(m.Pieces, piece)
		}
		if r.Model != nil {
			m.Loss = r.Model.Loss
		}
		w.Models = append(w.Models, m)
	}
	for _, out := range b.Out {
		w.Out = append(w.Out, RaceOut{ID: out.ID, Error: say(out.Err)})
	}
	return w
}
