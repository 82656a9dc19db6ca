package unroll_test

import (
	"context"
	"math"
	"testing"

	"attnatlas/engine"
	"attnatlas/engine/fault"
	"attnatlas/engine/unroll"
)

// TestReversing: the recomputed inputs differ only by rounding, and the differences are those of the model's map.
// Memory grows with the layers if inputs are stored, and hardly if they are recomputed.
func TestReversing(t *testing.T) {
	e := engine.New()
	of := engine.Request{Text: hashedText, Mechanisms: []string{"reversible"}}
	rep, err := e.Inspect(context.Background(), of)
	if err != nil {
		t.Fatal(err)
	}
	res := rep.Mechanisms[0]
	shown := res.Maps[0].Value // [L,N]
	for layer := 1; layer <= len(res.Layers); layer++ {
		f, err := unroll.New(e).Reversing(context.Background(), of, layer)
		if err != nil {
			t.Fatal(err)
		}
		one := f.Layers[layer-1]
		most1, most2, some := 0.0, 0.0, false
		for i := range f.Tokens {
			sum := 0.0
			for k := range f.Stream1[i] {
				a, b := math.Abs(float64(f.Stream1[i][k])), math.Abs(float64(f.Stream2[i][k]))
				sum, most1, most2, some = sum+a*a+b*b, max(most1, a), max(most2, b), some || a > 0
			}
			if d := math.Abs(math.Sqrt(sum) - float64(shown.At(layer-1, i))); d > 1e-6*math.Sqrt(sum)+1e-12 {
				t.Errorf("layer %d word %d: the differences have length %g, the map says %g", layer, i, math.Sqrt(sum),
					shown.At(layer-1, i))
			}
		}
		if !some || one.Max1 != most1 || one.Max2 != most2 || one.Median1 > most1 || one.Median2 > most2 || one.Spacing <= 0 {
			t.Errorf("layer %d: %+v, largest %g and %g", layer, one, most1, most2)
		}
		// A sum from which a summand is subtracted again is rounded twice. Each error is at most half the spacing
		// of a number that is at most twice as large. The last layer's second stream has no other error.
		if last := f.Layers[len(f.Layers)-1]; last.Max2 > 2*last.Spacing {
			t.Errorf("the last layer's second stream is off by %g, spacing %g", last.Max2, last.Spacing)
		}
		if one.Max1 > 4e3*one.Spacing || one.Max2 > 4e3*one.Spacing {
			t.Errorf("layer %d: %+v", layer, one)
		}
		for i, l := range f.Layers {
			if i > 0 && (l.Stored-f.Layers[i-1].Stored < 10*len(f.Tokens)*64*4 || l.Reversible != f.Layers[1].Reversible &&
				i > 1) || l.Reversible >= l.Stored {
				t.Errorf("memory of %d layers: %+v", i+1, l)
			}
		}
		t.Logf("%+v", one)
	}
}

// TestReversingRefuses: models and layers that cannot be recomputed, or do not exist, are refused.
func TestReversingRefuses(t *testing.T) {
	e := engine.New()
	for _, c := range []struct {
		id    string
		layer int
		want  fault.Kind
	}{{"dense", 1, fault.Unsupported}, {"encoder-decoder", 1, fault.Unsupported}, {"reversible", 0, fault.NotFound},
		{"reversible", 5, fault.NotFound}, {"thing", 1, fault.NotFound}} {
		if _, err := unroll.New(e).Reversing(context.Background(), engine.Request{Text: "a dog", Mechanisms: []string{c.id}},
			c.layer); fault.KindOf(err) != c.want {
			t.Errorf("%s %d: %v", c.id, c.layer, err)
		}
	}
}
