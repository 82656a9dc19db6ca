package figure

import (
	"bytes"
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"testing"

	"attnatlas/engine/tensor"
	"attnatlas/engine/trace"
)

// place is one map under one normalisation, as in testdata/places.json. The browser's
// implementation is tested with the same file. Cells that are null in Values are Bad; Reach is 1
// inside the mask.
type place struct {
	Kind      string     `json:"kind"`
	Norm      Norm       `json:"norm"`
	SharedMax float64    `json:"sharedMax,omitempty"`
	Rows      int        `json:"rows"`
	Cols      int        `json:"cols"`
	Values    []*float64 `json:"values"`
	Reach     []int      `json:"reach"`
	Scale     Scale      `json:"scale"`
	Index     []int      `json:"index"`
	Class     []Class    `json:"class"`
}

func places(t *testing.T) []place {
	var out []place
	r := rand.New(rand.NewPCG(11, 13))
	for _, kind := range []trace.Kind{trace.Probability, trace.Activation, trace.Weight, trace.Category} {
		m := square(kind, make([]float64, 9), make([]float64, 9), make([]float64, 9), make([]float64, 9))
		for i := range m.Value.Data {
			m.Value.Data[i] = tensor.Elem(float32(sample(r, kind, i)))
		}
		m.Reach = func(q, k int) bool { return k <= q+5 }
		for _, n := range Norms() {
			s := Spec{Map: m, Norm: n}
			if n == Shared {
				s.SharedMax = 0.7
			}
			out = append(out, record(t, s))
		}
	}
	return out
}

// sample returns values of all sizes, including values exactly on a boundary.
func sample(r *rand.Rand, kind trace.Kind, i int) float64 {
	switch {
	case kind == trace.Category:
		return float64(r.IntN(20) - 1)
	case i%7 == 0:
		return math.Exp2(-float64(i % 11))
	case i == 13:
		return math.NaN()
	case i%8 == 5:
		return 0
	case kind == trace.Probability:
		return math.Pow(r.Float64(), 6)
	}
	return r.NormFloat64()
}

func record(t *testing.T, s Spec) place {
	g := mustQuantise(t, s)
	p := place{Kind: s.Map.Kind.String(), Norm: s.Norm, SharedMax: s.SharedMax, Rows: g.Rows, Cols: g.Cols, Scale: g.Scale,
		Class: g.Class}
	for i, x := range s.Map.Value.Data {
		v := float64(x)
		p.Values = append(p.Values, &v)
		if math.IsNaN(v) {
			p.Values[i] = nil
		}
		reach := 0
		if s.Map.Reach(i/g.Cols, i%g.Cols) {
			reach = 1
		}
		p.Reach, p.Index = append(p.Reach, reach), append(p.Index, int(g.Index[i]))
	}
	return p
}

func TestPlacesFixtureIsCurrent(t *testing.T) {
	const path = "testdata/places.json"
	flat, err := json.Marshal(places(t))
	if err != nil {
		t.Fatal(err)
	}
	flat = append(flat, '\n')
	if *update {
		if err := os.WriteFile(path, flat, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(flat, want) {
		t.Error("testdata/places.json is stale: the rule from value to colour has changed, and with it the browser's")
	}
}
