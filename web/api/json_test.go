package api

import (
	"encoding/json"
	"math"
	"reflect"
	"strings"
	"testing"

	"attnatlas/engine/tensor"

	"pgregory.net/rapid"
)

// TestValuesSurviveJSON: all numbers come back bit-identical, including those that a careless
// encoder changes. Values without a JSON notation are null and come back as NaN.
func TestValuesSurviveJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		awkward := rapid.SampledFrom([]float64{math.Copysign(0, -1), 0, math.SmallestNonzeroFloat32, 1e-40, math.MaxFloat32,
			-math.MaxFloat32, 1. / 3, 16777217, 1e21, 0.99999994, math.NaN(), math.Inf(1), math.Inf(-1)})
		bits := rapid.Map(rapid.Uint32(), func(bits uint32) float64 { return float64(math.Float32frombits(bits)) })
		values := Values{}
		for _, v := range rapid.SliceOf(rapid.OneOf(awkward, bits)).Draw(t, "values") {
			values = append(values, tensor.Elem(v))
		}
		body, err := json.Marshal(values)
		if err != nil {
			t.Fatal(err)
		}
		var back Values
		if err := json.Unmarshal(body, &back); err != nil || len(back) != len(values) {
			t.Fatalf("%s: %v, %v", body, back, err)
		}
		for i, v := range values {
			if odd := math.IsNaN(float64(v)) || math.IsInf(float64(v), 0); odd != math.IsNaN(float64(back[i])) || !odd &&
				math.Float64bits(float64(v)) != math.Float64bits(float64(back[i])) {
				t.Fatalf("%v comes back as %v from %s", v, back[i], body)
			}
		}
	})
	var none Values
	for _, body := range []string{`"1"`, `[1,"2"]`, `{`} {
		if err := json.Unmarshal([]byte(body), &none); err == nil {
			t.Errorf("%s is read as %v", body, none)
		}
	}
}

// TestAttendSurvivesJSON: every member of a response comes back, for any content.
func TestAttendSurvivesJSON(t *testing.T) {
	shown := AttendMap{
		Name: "weights", Kind: "probability", Axes: []string{"head", "query"}, Shape: []int{1, 2},
		Labels:  [][]string{nil, {"a", `"<b>"`}},
		Classes: []string{"", "window"}, Reach: "10", Values: Values{0.1, -2e-7},
	}
	whole := shown
	whole.Labels, whole.Classes, whole.Reach, whole.Values = nil, nil, "", Values{}
	for name, answer := range map[string]Attend{
		"empty": {Version: 1, Tokens: []AttendToken{}},
		"refused": {Version: 1, Text: "a", Tokens: []AttendToken{{Piece: "a", Label: "a", End: 1}},
			Mechanisms: []AttendMechanism{{ID: "dense", Heads: 4, Error: "No."}, {ID: "random", Layers: []AttendLayer{}}}},
		"full": {
			Version: 1, Text: "a\u2028<", Mask: "causal", Tokens: []AttendToken{{Piece: "[CLS]", Label: "[CLS]", Special: true}},
			Mechanisms: []AttendMechanism{{
				ID: "dense", Task: "topic", Heads: 4, Note: "Note.", Written: "a",
				Guesses:     []AttendGuess{{Task: "topic", Classes: []AttendClass{{Name: "travel", P: 0.75}}}},
				Charges:     []AttendCharge{{"ponder", 0.0025}},
				Predictions: []AttendPrediction{{Token: 1, Next: true, Words: []AttendWord{{"##ing", 0.5}}}},
				Layers: []AttendLayer{{Layer: 1, Name: `layer "1"`, Maps: []AttendMap{shown, whole}},
					{Layer: 2, Maps: []AttendMap{}}},
				Maps: []AttendMap{whole},
			}},
		},
	} {
		body, err := answer.AppendJSON(nil)
		if err != nil {
			t.Fatal(name, err)
		}
		var back Attend
		if err := json.Unmarshal(body, &back); err != nil {
			t.Fatalf("%s: %v: %s", name, err, body)
		}
		want := answer
		if want.Mechanisms == nil {
			want.Mechanisms = []AttendMechanism{}
		}
		if !reflect.DeepEqual(back, want) {
			t.Errorf("%s:\ngot  %+v\nwant %+v", name, back, want)
		}
		if !strings.HasSuffix(string(body), "}\n") || answer.Size() < len(body) {
			t.Errorf("%s: %d bytes, %d foreseen", name, len(body), answer.Size())
		}
	}
}
