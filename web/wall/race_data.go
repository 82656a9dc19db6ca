package wall

import (
	"attnatlas/engine"
	"attnatlas/engine/exhibit"
	"attnatlas/web/api"
)

// Race is the response of /api/v1/race.
type Race struct {
	Version int               `json:"version" doc:"Version of this format"`
	Text    string            `json:"text" doc:"Text with its masked words, or without masks for race=all; bytes that are not UTF-8 appear as U+FFFD"`
	Mask    string            `json:"mask" enum:"none,causal" doc:"Attention mask"`
	Tokens  []api.AttendToken `json:"tokens" doc:"Tokens of the text"`
	Words   []RaceWord        `json:"words" doc:"Predicted words, in the order of the text"`
	Scores  []RaceScore       `json:"scores,omitempty" doc:"Number of words that each model predicts correctly, best model first; only with race=all"`
}

// RaceWord holds the predictions of all models for one word.
type RaceWord struct {
	First  int         `json:"first" doc:"Index of the word’s first token, from 0"`
	Last   int         `json:"last" doc:"Index after the word’s last token"`
	Hidden string      `json:"hidden,omitempty" doc:"Masked word; absent if it is unknown"`
	Models []RaceModel `json:"models" doc:"Predictions of the models, sorted by the probability of the masked word, largest first. Without a masked word, by that of each model’s own prediction"`
	Out    []RaceOut   `json:"out,omitempty" doc:"Models without a prediction, with the reason"`
}

// RaceModel is the prediction of one model for a word.
type RaceModel struct {
	ID     string      `json:"id" doc:"ID of the model"`
	Place  int         `json:"place" doc:"Rank of the model, from 1; equal models share a rank"`
	Guess  string      `json:"guess" doc:"Word made of the most probable tokens"`
	P      float64     `json:"p" doc:"Probability of guess: the product over its tokens, which are masked together"`
	Right  bool        `json:"right,omitempty" doc:"Whether guess is the masked word, in all tokens"`
	Hidden *float64    `json:"hidden,omitempty" doc:"Probability of the masked word: the product over its tokens; absent if the word is unknown"`
	Pieces []RacePiece `json:"pieces" doc:"Predictions of the word’s tokens"`
	Loss   float64     `json:"loss,omitempty" doc:"Validation loss in nats per masked token, or per next token"`
	Usual  int         `json:"usual,omitempty" doc:"Rank by validation loss among the models trained on masked words; absent for other models"`
	Next   bool        `json:"next,omitempty" doc:"Whether the model was trained on next-token prediction and attends only to earlier tokens"`
}

// RacePiece is the prediction of one piece of a word.
type RacePiece struct {
	Words  []api.AttendWord `json:"words" doc:"Most probable tokens, largest probability first; at most 10"`
	Hidden *api.AttendWord  `json:"hidden,omitempty" doc:"Masked token with its probability; absent if it is unknown"`
	Rank   int              `json:"rank,omitempty" doc:"Rank of the masked token in the whole vocabulary, from 1"`
}

// RaceOut is a model without predictions.
type RaceOut struct {
	ID    string `json:"id" doc:"ID of the model"`
	Error string `json:"error" doc:"Reason why the model has no prediction"`
}

// RaceScore is the result of one model over the words of a text, each masked in turn.
type RaceScore struct {
	ID       string  `json:"id" doc:"ID of the model"`
	Right    int     `json:"right" doc:"Number of words that the model predicts correctly"`
	Words    int     `json:"words" doc:"Number of all words"`
	Surprise float64 `json:"surprise" doc:"Mean of −ln p in nats per word, where p is the probability of the masked word"`
}

// newRace returns the response with a report on masked words. number selects one word, from 1; 0:
// all. say returns the reason why a model has no predictions.
func newRace(r *engine.Report, mask string, number int, say func(error) string) Race {
	a := Race{Version: 1, Text: r.Text, Mask: mask, Tokens: api.Tokens(r.Tokens), Words: []RaceWord{}}
	for i, b := range exhibit.Boards(r) {
		if number < 1 || number == i+1 {
			a.Words = append(a.Words, newRaceWord(b, say))
		}
	}
	return a
}

// Score adds the results of the models over all words.
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
			piece := RacePiece{Words: api.Words(g.Words), Rank: g.Rank}
			if g.Rank > 0 {
				piece.Hidden = &api.AttendWord{Piece: g.Truth.Piece, P: g.Truth.P}
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
