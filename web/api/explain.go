package api

import (
	"strings"

	"attnatlas/engine/exhibit"
	"attnatlas/engine/explain"
)

// Explain is the response of /api/v1/explain.
type Explain struct {
	Version int           `json:"version" doc:"Version of this format"`
	Tokens  []string      `json:"tokens"`
	Steps   []ExplainStep `json:"steps" doc:"The number, the number it was copied from, and so on"`
}

// ExplainStep explains how one number was computed.
type ExplainStep struct {
	Array     ExplainArray   `json:"array"`
	Source    ExplainArray   `json:"source" doc:"The array that the number was copied from; array where it was not"`
	At        []int          `json:"at" doc:"Its index on each axis of the array, from 0"`
	Place     int            `json:"place" doc:"The same, counted through"`
	Value     float64        `json:"value"`
	Operation string         `json:"operation" enum:"given,sum,softmax,layer-norm,deviation,rms-norm,length,quotient,function,unknown" doc:"sum: scale·Σ x·y + Σ plus + constant, without y scale·Σ x; softmax: exp(x_own)/(Σ exp(x) + eps); layer-norm: (x_own − mean)/√(variance + eps)·plus₁ + plus₂; deviation: with s + eps in place of the root, s² = Σ(x − mean)²/(d − 1); rms-norm: x_own/√(mean(x²) + eps); length: √Σx²; quotient: x/(y + eps)"`
	Function  string         `json:"function,omitempty"`
	X         []ExplainStrip `json:"x,omitempty"`
	Y         []ExplainStrip `json:"y,omitempty"`
	Plus      []ExplainStrip `json:"plus,omitempty"`
	Own       int            `json:"own" doc:"Which number of x it belongs to, from 0"`
	Scale     float64        `json:"scale"`
	Constant  float64        `json:"constant"`
	Eps       float64        `json:"eps"`
	Computed  float64        `json:"computed" doc:"The value, recomputed from these operands in float64"`
	Size      float64        `json:"size" doc:"Sum of the magnitudes of all terms, to which rounding is relative"`
}

// ExplainArray is an array with explained numbers.
type ExplainArray struct {
	Number    int      `json:"number"`
	Name      string   `json:"name,omitempty" doc:"Of a map, or a parameter with the path to it"`
	Part      string   `json:"part,omitempty" doc:"Layer that shows the map, such as layer 1"`
	Parameter bool     `json:"parameter,omitempty"`
	Given     bool     `json:"given,omitempty" doc:"Whether it was not computed: a parameter, an input or a constant"`
	Shape     []int    `json:"shape"`
	Axes      []string `json:"axes,omitempty"`
}

// ExplainStrip holds numbers of one array.
type ExplainStrip struct {
	Array  ExplainArray `json:"array"`
	Places []int        `json:"places" doc:"Counted in order; number=ARRAY.PLACE requests one of them"`
	Values []float64    `json:"values"`
}

// NewExplain returns the response with an explanation.
func NewExplain(x *explain.Explanation) Explain {
	e := Explain{Version: 1, Tokens: x.Tokens}
	for _, s := range x.Steps {
		step := ExplainStep{
			Array: explainArray(s.Array), Source: explainArray(s.Source), At: s.At, Place: s.Place, Value: s.Value,
			Operation: exhibit.OperationOf(s), Function: s.Origin.Function,
			X: explainStrips(s.X), Y: explainStrips(s.Y), Plus: explainStrips(s.Plus),
			Own: s.Origin.Own, Scale: s.Origin.Scale, Constant: s.Origin.Constant, Eps: s.Origin.Eps, Computed: s.Computed,
			Size: s.Size,
		}
		e.Steps = append(e.Steps, step)
	}
	return e
}

func explainArray(a explain.ArrayName) ExplainArray {
	e := ExplainArray{Number: a.Number, Name: a.Name, Part: a.Part, Parameter: a.Param, Given: a.Given, Shape: a.Shape}
	for _, r := range a.Roles {
		e.Axes = append(e.Axes, strings.ToLower(r.String()))
	}
	return e
}

func explainStrips(list []explain.Strip) (strips []ExplainStrip) {
	for _, s := range list {
		strips = append(strips, ExplainStrip{explainArray(s.Array), s.Places, s.Values})
	}
	return strips
}
