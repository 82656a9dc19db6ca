package api

import (
	"attnatlas/engine"
	"attnatlas/engine/exhibit"
	"attnatlas/engine/tokenizer"
)

// Parts are the names of the parts of an encoder–decoder, in the order of the response.
var Parts = []string{engine.CrossPart, engine.DecoderPart, engine.EncoderPart, engine.EncoderRolloutPart}

// NewWrite returns the response with an encoder–decoder's text. The map names in a query are names
// of Parts.
func NewWrite(sel *exhibit.Selection, res *engine.Result, q Query) (Write, error) {
	r, g := sel.Report, res.Generated
	a := Write{
		Version: 1, Text: r.Text, Task: g.Task, Tokens: tokens(r.Tokens), Written: g.Text, Stopped: g.Stopped,
		Answer: g.AnswerText, Right: g.Right, Steps: []WriteStep{}, Maps: []WriteMap{},
	}
	for _, c := range res.Cut {
		a.Cut = append(a.Cut, c.String())
	}
	for i, step := range g.Steps {
		a.Steps = append(a.Steps, WriteStep{
			Piece: step.Piece, Label: tokenizer.PieceLabel(step.Piece), P: step.Top[0].P, Right: g.RightStep(i),
			Top: words(step.Top),
		})
	}
	for _, name := range Parts {
		part, ok := res.Part(name)
		if !ok || !q.wants(name) {
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
			one := q.headIn(sel, res, layer)
			one.Maps, one.named = []string{engine.PartMap(name)}, true
			maps, err := one.maps(res, layer.Maps)
			if err != nil {
				return a, err
			}
			for _, m := range maps {
				a.Maps = append(a.Maps, WriteMap{Of: name, Layer: layer.Number, Head: one.head, AttendMap: m})
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
