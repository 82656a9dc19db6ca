package unroll

import (
	"attnatlas/engine/exhibit"
	"attnatlas/engine/explain"
	"attnatlas/engine/formula"
	"attnatlas/engine/messages"
	"attnatlas/web/api"
)

// Steps is the response of /api/v1/steps.
type Steps struct {
	Version int      `json:"version" doc:"Version of this format"`
	Tokens  []string `json:"tokens" doc:"Labels of the tokens"`
	Layers  []string `json:"layers" doc:"Names of the layers in the model"`
	Layer   int      `json:"layer" doc:"Number of the layer, from 1, whose steps are listed"`
	Heads   int      `json:"heads" doc:"Number of heads in the layer"`
	Word    int      `json:"word" doc:"Position, from 1, of the token whose prediction ends the steps; 0: none"`
	Next    bool     `json:"next" doc:"Whether the prediction is for the next token"`
	Steps   []Step   `json:"steps" doc:"Steps of the forward pass, in the order of the equations"`
}

// Step is one array of a forward pass.
type Step struct {
	Key     string `json:"key" doc:"Unique name among the steps"`
	Part    string `json:"part,omitempty" doc:"Layer that shows the array; absent before, between and after the layers"`
	Formula string `json:"formula" doc:"Formula in TeX"`
	Plain   string `json:"plain" doc:"Formula as plain text"`
	Says    string `json:"says" doc:"Description of the computation in one sentence"`
	Array   int    `json:"array,omitempty" doc:"Number of the array, for /api/v1/explain?number=ARRAY.PLACE; absent if its numbers cannot be traced"`
	Columns []int  `json:"columns,omitempty" doc:"Columns of the array that are shown, from 0; absent: all"`
	api.AttendMap
}

// newSteps returns the response, with the values of the step with a key, or of all steps.
func newSteps(l *messages.Language, w *explain.Steps, key string) Steps {
	a := Steps{Version: 1, Layers: w.Layers, Layer: w.Layer, Heads: w.Heads, Word: w.Word, Next: w.Next}
	for _, t := range w.Tokens {
		a.Tokens = append(a.Tokens, t.Label())
	}
	for _, s := range w.List {
		step := Step{Key: s.Key, Part: s.Part, Formula: s.Map.Tex, Plain: s.Map.Tex, Says: exhibit.StepSentence(l, s),
			Array: s.Array, Columns: s.Columns, AttendMap: api.NewMap(s.Map)}
		if f, err := formula.Parse(s.Map.Tex); err == nil {
			step.Plain = f.Text()
		}
		if key != "" && key != s.Key {
			step.Values = nil
		}
		a.Steps = append(a.Steps, step)
	}
	return a
}
