package unroll_test

import (
	"context"
	"encoding/json"
	"math"
	"testing"

	"attnatlas/engine"
	"attnatlas/engine/fault"
	"attnatlas/engine/unroll"
)

// TestPonderingAddsUp: the probabilities and the remainder of a halted word sum to 1, and those before the halt to
// at most the threshold. The weights are the shares in the output, and the cost is that of the steps.
func TestPonderingAddsUp(t *testing.T) {
	e := engine.New()
	halted, tired := 0, 0
	for _, text := range []string{hashedText, "The old woman gave the boy a small red apple.",
		"[MASK] xylophones zzz 17 % of it!", "a"} {
		rep, err := e.Inspect(context.Background(), engine.Request{Text: text, Mechanisms: []string{"universal"}})
		if err != nil {
			t.Fatal(err)
		}
		p, err := unroll.PonderingOf(rep, "universal")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := json.Marshal(p); err != nil {
			t.Error(err)
		}
		if p.Threshold != 0.99 || p.Price != 0.001 || p.Rule != "basic" || p.Most != 6 || p.Steps < 1 || p.Steps > 6 ||
			len(p.Words) != len(rep.Tokens) || len(p.Maps) != p.Steps {
			t.Errorf("%+v", p)
		}
		mean := 0.0
		for i, w := range p.Words {
			mean += (float64(w.Steps) + float64(w.Remainder)) / float64(len(p.Words))
			sum, weights := 0.0, 0.0
			for k, s := range w.List {
				weights += float64(s.Weight)
				last := k == w.Steps-1
				switch {
				case k >= w.Steps && (s.Does != "has halted" || s.Weight != 0),
					last && w.Halted && (s.Does != "halts" || sum+float64(s.P) <= p.Threshold || s.Weight != w.Remainder),
					k < w.Steps && (!last || !w.Halted) && (s.Does != "goes on" || s.Weight != s.P ||
						sum+float64(s.P) > p.Threshold+1e-6),
					math.Abs(float64(s.Before)-math.Min(sum, 1)) > 1e-6 && k < w.Steps:
					t.Errorf("%q word %d step %d of %d: %+v", text, i, k+1, w.Steps, s)
				}
				if k < w.Steps && !last {
					sum += float64(s.P)
				}
			}
			if w.Halted {
				halted++
				if d := math.Abs(sum + float64(w.Remainder) - 1); d > 1e-6 || math.Abs(weights-1) > 1e-6 {
					t.Errorf("%q word %d: probabilities and remainder sum to 1 + %g, weights to %g", text, i, d, weights)
				}
			} else if tired++; w.Remainder != 0 || w.Steps != p.Most || weights > p.Threshold+1e-6 {
				t.Errorf("%q word %d never halted: %+v", text, i, w)
			}
		}
		if math.Abs(p.Cost-p.Price*mean) > 1e-6*mean {
			t.Errorf("%q: cost %g, by its steps %g", text, p.Cost, p.Price*mean)
		}
	}
	if halted == 0 {
		t.Error("no word halted")
	}
	t.Logf("%d words halted, %d did not", halted, tired)
}

// TestPonderingRefuses: a model without adaptive computation is refused.
func TestPonderingRefuses(t *testing.T) {
	rep, err := engine.New().Inspect(context.Background(),
		engine.Request{Text: "a dog", Mechanisms: []string{"dense", "bert", "thing"}})
	if err != nil {
		t.Fatal(err)
	}
	for id, want := range map[string]fault.Kind{"dense": fault.Unsupported, "bert": fault.Unsupported,
		"thing": fault.NotFound} {
		if _, err := unroll.PonderingOf(rep, id); fault.KindOf(err) != want {
			t.Errorf("%s: %v", id, err)
		}
	}
}
