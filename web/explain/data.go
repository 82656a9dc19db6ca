package explain

import (
	"strings"

	"attnatlas/engine/exhibit"
	"attnatlas/engine/explain"
)

// Explain is the response of /api/v1/explain.
type Explain struct {
	Version int           `json:"version" doc:"Version of this format"`
	Tokens  []string      `json:"tokens" doc:"Labels of the tokens"`
	Steps   []ExplainStep `json:"steps" doc:"Explanation of the number, then of the number it was copied from, and so on"`
}

// ExplainStep explains how one number was computed.
type ExplainStep struct {
	Array     ExplainArray   `json:"array" doc:"Array that contains the number"`
	Source    ExplainArray   `json:"source" doc:"Array that the number was copied from; equal to array if it was not copied"`
	At        []int          `json:"at" doc:"Index of the number on each axis of the array, from 0"`
	Place     int            `json:"place" doc:"Index of the number in the flattened array, from 0"`
	Value     float64        `json:"value" doc:"Value of the number"`
	Operation string         `json:"operation" enum:"given,sum,softmax,layer-norm,deviation,rms-norm,length,quotient,function,unknown" doc:"Operation on the operands x, y and plus. sum: scale·Σ x·y + Σ plus + constant, or scale·Σ x + Σ plus + constant without y. softmax: exp(x_own)/(Σ exp(x) + eps). layer-norm: (x_own − mean)/√(variance + eps)·plus₁ + plus₂. deviation: as layer-norm with s + eps in place of the root, s² = Σ(x − mean)²/(d − 1). rms-norm: x_own/√(mean(x²) + eps). length: √Σx². quotient: x/(y + eps)"`
	Function  string         `json:"function,omitempty" doc:"Name of the function, if the operation is function"`
	X         []ExplainStrip `json:"x,omitempty" doc:"Operands x"`
	Y         []ExplainStrip `json:"y,omitempty" doc:"Operands y"`
	Plus      []ExplainStrip `json:"plus,omitempty" doc:"Operands that are added; for normalisation the learned scale and shift"`
	Own       int            `json:"own" doc:"Index in x of the number’s own operand, from 0, for softmax and normalisation"`
	Scale     float64        `json:"scale" doc:"Factor of a sum"`
	Constant  float64        `json:"constant" doc:"Constant term of a sum"`
	Eps       float64        `json:"eps" doc:"Small number ε in the formula"`
	Computed  float64        `json:"computed" doc:"Value recomputed from these operands in float64"`
	Size      float64        `json:"size" doc:"Sum of the absolute values of all terms, the reference for rounding errors"`
}

// ExplainArray is an array with explained numbers.
type ExplainArray struct {
	Number    int      `json:"number" doc:"Number of the array, for number=ARRAY.PLACE"`
	Name      string   `json:"name,omitempty" doc:"Name of the map, or path and name of the parameter"`
	Part      string   `json:"part,omitempty" doc:"Layer that shows the map, such as layer 1"`
	Parameter bool     `json:"parameter,omitempty" doc:"Whether the array is a learned parameter"`
	Given     bool     `json:"given,omitempty" doc:"Whether the array was not computed: a parameter, an input or a constant"`
	Shape     []int    `json:"shape" doc:"Sizes of the axes"`
	Axes      []string `json:"axes,omitempty" doc:"Roles of the axes, such as head, query and key"`
}

// ExplainStrip holds numbers of one array.
type ExplainStrip struct {
	Array  ExplainArray `json:"array" doc:"Array that contains the numbers"`
	Places []int        `json:"places" doc:"Indices in the flattened array, from 0; number=ARRAY.PLACE requests the number at one of them"`
	Values []float64    `json:"values" doc:"Values at these indices"`
}

// newExplain returns the response with an explanation.
func newExplain(x *explain.Explanation) Explain {
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
