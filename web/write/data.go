package write

import (
	"attnatlas/engine/predict"
	"attnatlas/engine/tensor"
	"attnatlas/engine/tokenizer"
	"attnatlas/web/api"
)

// Continue is the response of /api/v1/continue.
type Continue struct {
	Version     int               `json:"version" doc:"Version of this format"`
	Model       string            `json:"model" doc:"ID of the model"`
	Text        string            `json:"text" doc:"Beginning as sent; bytes that are not UTF-8 appear as U+FFFD"`
	Words       int               `json:"words" doc:"Number of words requested, from 0 to 512"`
	Temperature float64           `json:"temperature" doc:"Temperature of the sampling; 0 always takes the most probable token"`
	TopK        int               `json:"topk" doc:"Number of most probable tokens to sample from; 0 for all"`
	Seed        uint64            `json:"seed" doc:"Random seed of the sampling"`
	Layer       int               `json:"layer" doc:"Number of the layer, from 1, for the attention weights"`
	Tokens      []api.AttendToken `json:"tokens" doc:"Tokens of the beginning"`
	Written     string            `json:"written" doc:"Text that the model wrote. It is invented"`
	Stopped     bool              `json:"stopped" doc:"Whether the model ended the text itself"`
	Full        bool              `json:"full" doc:"Whether the model has no more positions"`
	Steps       []ContinueStep    `json:"steps" doc:"Decoding steps, one for each written token"`
	Next        *ContinueStep     `json:"next,omitempty" doc:"Candidates for the next token"`
}

// ContinueStep is one written token.
type ContinueStep struct {
	Piece   string           `json:"piece,omitempty" doc:"Spelling of the token in the vocabulary"`
	Label   string           `json:"label,omitempty" doc:"Spelling on axes, with invisible characters made visible"`
	Text    string           `json:"text,omitempty" doc:"Text that the token adds, including a space before it"`
	Word    int              `json:"word,omitempty" doc:"Number of the written word that the token belongs to, from 1"`
	P       float64          `json:"p,omitempty" doc:"Probability of the token at temperature 1, 0…1"`
	Rank    int              `json:"rank,omitempty" doc:"Rank of the token in top, from 1; absent if it is not in top"`
	Taken   bool             `json:"taken,omitempty" doc:"Whether the address chose the token; otherwise it was sampled"`
	Top     []api.AttendWord `json:"top" doc:"Most probable tokens at this position"`
	Weights [][]tensor.Elem  `json:"weights,omitempty" doc:"Attention weights of the previous token, by head, over the tokens up to it. For an encoder–decoder, over the tokens of the text"`
	Own     [][]tensor.Elem  `json:"own,omitempty" doc:"Attention weights of the previous token, by head, over the written tokens; only for an encoder–decoder"`
}

// newContinue returns the response with a continued text.
func newContinue(model, text string, c *predict.Continuation) Continue {
	a := Continue{
		Version: 1, Model: model, Text: text, Tokens: api.Tokens(c.Tokens), Written: c.Text, Stopped: c.Stopped, Full: c.Full,
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

func newContinueStep(p predict.WrittenPiece) ContinueStep {
	s := ContinueStep{Piece: p.Piece, Text: p.Text, Word: p.Word, P: p.P, Rank: p.Rank, Taken: p.Taken,
		Top: api.Words(p.Top)}
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
