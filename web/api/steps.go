package api

import (
	"attnatlas/engine/exhibit"
	"attnatlas/engine/explain"
	"attnatlas/engine/formula"
	"attnatlas/engine/messages"
)

// Steps is the response of /api/v1/steps.
type Steps struct {
	Version int      `json:"version" doc:"Version of this format"`
	Tokens  []string `json:"tokens"`
	Layers  []string `json:"layers" doc:"The model’s names for its layers"`
	Layer   int      `json:"layer" doc:"Whose steps these are, from 1"`
	Heads   int      `json:"heads"`
	Word    int      `json:"word" doc:"The position, from 1, whose prediction ends the steps; 0: none"`
	Next    bool     `json:"next" doc:"Whether the prediction is for the word after it"`
	Steps   []Step   `json:"steps" doc:"In the order of the equations"`
}

// Step is one array of a forward pass.
type Step struct {
	Key     string `json:"key" doc:"Once among the steps"`
	Part    string `json:"part,omitempty" doc:"The layer that shows it; absent before, between and after the layers"`
	Formula string `json:"formula" doc:"In TeX"`
	Plain   string `json:"plain" doc:"The same as text"`
	Says    string `json:"says" doc:"The computation, in a sentence"`
	Array   int    `json:"array,omitempty" doc:"For explain?number=ARRAY.PLACE; absent if its numbers cannot be traced"`
	Columns []int  `json:"columns,omitempty" doc:"Which columns of the array these are; absent: all"`
	AttendMap
}

// NewSteps returns the response, with the values of the step with a key, or of all steps.
func NewSteps(l *messages.Language, w *explain.Steps, key string) Steps {
	a := Steps{Version: 1, Layers: w.Layers, Layer: w.Layer, Heads: w.Heads, Word: w.Word, Next: w.Next}
	for _, t := range w.Tokens {
		a.Tokens = append(a.Tokens, t.Label())
	}
	for _, s := range w.List {
		step := Step{Key: s.Key, Part: s.Part, Formula: s.Map.Tex, Plain: s.Map.Tex, Says: exhibit.StepSentence(l, s),
			Array: s.Array, Columns: s.Columns, AttendMap: newMap(s.Map)}
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
