package mechanism

import (
	"attnatlas/engine"
	"attnatlas/engine/exhibit"
	"attnatlas/engine/tokenizer"
	"attnatlas/web/api"
)

// Write is the response of /api/v1/write.
type Write struct {
	Version int               `json:"version" doc:"Version of this format"`
	Text    string            `json:"text" doc:"Text as sent; bytes that are not UTF-8 appear as U+FFFD"`
	Task    string            `json:"task" doc:"Task of the model: reverse (the words in reverse order) or sort (in alphabetical order)"`
	Tokens  []api.AttendToken `json:"tokens" doc:"Tokens of the text, the input of the encoder"`
	Written string            `json:"written" doc:"Answer of the model, by greedy decoding"`
	Stopped bool              `json:"stopped" doc:"Whether the model ended the answer with [SEP]; otherwise it was stopped"`
	Answer  string            `json:"answer" doc:"Right answer, computed from the text"`
	Right   bool              `json:"right" doc:"Whether the model wrote exactly the right answer"`
	Cut     []string          `json:"cut,omitempty" doc:"Ablations of the forward pass, each as in the parameter cut"`
	Whole   *string           `json:"whole,omitempty" doc:"Answer of the model without the ablation, if there is an ablation"`
	Changed []int             `json:"changed,omitempty" doc:"Numbers of the decoding steps, from 1, whose token the ablation changes"`
	Steps   []WriteStep       `json:"steps" doc:"Decoding steps, one for each written token"`
	Maps    []WriteMap        `json:"maps" doc:"Attention maps of the model"`
}

// WriteStep is one written piece.
type WriteStep struct {
	Piece string           `json:"piece" doc:"Spelling of the token in the vocabulary"`
	Label string           `json:"label" doc:"Spelling on axes, with invisible characters made visible"`
	P     float64          `json:"p" doc:"Probability of the token in the whole vocabulary, 0…1"`
	Right bool             `json:"right" doc:"Whether this token is right at this position"`
	Top   []api.AttendWord `json:"top" doc:"Most probable tokens, largest probability first; the first was written"`
}

// WriteMap is an attention map of one layer.
type WriteMap struct {
	Of    string `json:"of" enum:"cross,decoder,encoder,encoder-rollout" doc:"Part of the model. encoder-rollout is attention rollout of the encoder after this layer (Abnar and Zuidema 2020). Queries of cross and decoder are decoding steps. Keys of decoder are the tokens written before, beginning with [CLS]; other keys are tokens of the text"`
	Layer int    `json:"layer" doc:"Number of the layer, from 1"`
	Head  int    `json:"head,omitempty" doc:"Number of the head, from 1; absent for all heads or their mean"`
	api.AttendMap
}

// Parts are the names of the parts of an encoder–decoder, in the order of the response.
var Parts = []string{engine.CrossPart, engine.DecoderPart, engine.EncoderPart, engine.EncoderRolloutPart}

// newWrite returns the response with an encoder–decoder's text. The map names in a query are names
// of Parts.
func newWrite(sel *exhibit.Selection, res *engine.Result, q api.Query) (Write, error) {
	r, g := sel.Report, res.Generated
	a := Write{
		Version: 1, Text: r.Text, Task: g.Task, Tokens: api.Tokens(r.Tokens), Written: g.Text, Stopped: g.Stopped,
		Answer: g.AnswerText, Right: g.Right, Steps: []WriteStep{}, Maps: []WriteMap{},
	}
	for _, c := range res.Cut {
		a.Cut = append(a.Cut, c.String())
	}
	for i, step := range g.Steps {
		a.Steps = append(a.Steps, WriteStep{
			Piece: step.Piece, Label: tokenizer.PieceLabel(step.Piece), P: step.Top[0].P, Right: g.RightStep(i),
			Top: api.Words(step.Top),
		})
	}
	for _, name := range Parts {
		part, ok := res.Part(name)
		if !ok || !q.Wants(name) {
			continue
		}
		layers := part.Layers
		if !q.AllLayers {
			layer, err := engine.LayerOf(res, layers, q.Layer)
			if err != nil {
				return a, err
			}
			layers = []engine.Layer{layer}
		}
		for _, layer := range layers {
			head, maps, err := q.Labelled(sel, res, layer, engine.PartMap(name))
			if err != nil {
				return a, err
			}
			for _, m := range maps {
				a.Maps = append(a.Maps, WriteMap{Of: name, Layer: layer.Number, Head: head, AttendMap: m})
			}
		}
	}
	return a, nil
}

// Compare adds the text that the model writes without ablations, and the steps at which the pieces
// differ.
func (a *Write) Compare(res, whole *engine.Result) {
	now, before := res.Generated.Steps, whole.Generated.Steps
	a.Whole = &whole.Generated.Text
	for i := range now {
		if i >= len(before) || now[i].Piece != before[i].Piece {
			a.Changed = append(a.Changed, i+1)
		}
	}
}
