package api

import (
	"attnatlas/engine"
	"attnatlas/engine/tensor"
	"attnatlas/engine/tokenizer"
)

// Continue is the response of /api/v1/continue.
type Continue struct {
	Version     int            `json:"version" doc:"Version of this format"`
	Model       string         `json:"model"`
	Text        string         `json:"text" doc:"The beginning as sent; bytes that are not UTF-8 appear as U+FFFD"`
	Words       int            `json:"words" doc:"Number of words asked for"`
	Temperature float64        `json:"temperature"`
	TopK        int            `json:"topk"`
	Seed        uint64         `json:"seed"`
	Layer       int            `json:"layer" doc:"Layer of the weights, from 1"`
	Tokens      []AttendToken  `json:"tokens" doc:"Tokens of the beginning"`
	Written     string         `json:"written" doc:"What the model wrote. It is invented"`
	Stopped     bool           `json:"stopped" doc:"The model ended the text itself"`
	Full        bool           `json:"full" doc:"The model has no more positions"`
	Steps       []ContinueStep `json:"steps" doc:"The written tokens, one after the other"`
	Next        *ContinueStep  `json:"next,omitempty" doc:"What could be written next"`
}

// ContinueStep is one written token.
type ContinueStep struct {
	Piece   string          `json:"piece,omitempty" doc:"The vocabulary's spelling"`
	Label   string          `json:"label,omitempty" doc:"As shown on axes: invisible characters made visible"`
	Text    string          `json:"text,omitempty" doc:"What it adds to the text, with the space before it"`
	Word    int             `json:"word,omitempty" doc:"Number of the written word that it belongs to, from 1"`
	P       float64         `json:"p,omitempty" doc:"Its probability at temperature 1"`
	Rank    int             `json:"rank,omitempty" doc:"Its place in top, from 1; absent where it is not there"`
	Taken   bool            `json:"taken,omitempty" doc:"The address chose it; it was not drawn"`
	Top     []AttendWord    `json:"top" doc:"The most probable tokens at this place"`
	Weights [][]tensor.Elem `json:"weights,omitempty" doc:"By head: attention weights of the token before over the tokens up to it; of an encoder–decoder, over the tokens of the text"`
	Own     [][]tensor.Elem `json:"own,omitempty" doc:"Of an encoder–decoder, by head: attention weights of the token before over what was written"`
}

// NewContinue returns the response with a continued text.
func NewContinue(model, text string, c *engine.Continuation) Continue {
	a := Continue{
		Version: 1, Model: model, Text: text, Tokens: tokens(c.Tokens), Written: c.Text, Stopped: c.Stopped, Full: c.Full,
		Steps: []ContinueStep{},
	}
	for _, p := range c.Written {
		a.Steps = append(a.Steps, newContinueStep(p))
	}
	if c.Next != nil {
		next := newContinueStep(*c.Next)
		a.Next = &next
	}
	return a
}

func newContinueStep(p engine.WrittenPiece) ContinueStep {
	s := ContinueStep{Piece: p.Piece, Text: p.Text, Word: p.Word, P: p.P, Rank: p.Rank, Taken: p.Taken, Top: words(p.Top)}
	if p.Piece != "" {
		s.Label = tokenizer.PieceLabel(p.Piece)
	}
	s.Weights, s.Own = byHead(p.Weights), byHead(p.Own)
	return s
}

// byHead returns the rows of the requested layer.
func byHead(layers []*tensor.T) (rows [][]tensor.Elem) {
	if len(layers) == 0 {
		return nil
	}
	for h := range layers[0].Dim(0) {
		rows = append(rows, layers[0].Sub(h).Data)
	}
	return rows
}
