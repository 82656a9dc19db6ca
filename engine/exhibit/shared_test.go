package exhibit_test

import (
	"strings"
	"testing"

	"attnatlas/engine"
	"attnatlas/engine/exhibit"
	"attnatlas/engine/fault"
	"attnatlas/engine/figure"
	"attnatlas/engine/method"
	"attnatlas/engine/trace"
)

// TestSharedScale: the same weight has the same colour on every card, whichever card is requested.
func TestSharedScale(t *testing.T) {
	for _, c := range []struct{ dense, random, want float64 }{{0.25, 0.75, 0.75}, {0.5, 0.25, 0.5}, {0, 0, 1}} {
		s := first(report(result("dense", []trace.Map{pairs("weights", trace.Probability, c.dense)}),
			result("random", []trace.Map{pairs("weights", trace.Probability, c.random)})), figure.Shared)
		for _, id := range []string{"dense", "random"} {
			if x := show(t, s, id, ""); x.Norm() != figure.Shared || x.Figure.SharedMax != c.want {
				t.Errorf("%s of %v: the scale ends at %v", id, c, x.Figure.SharedMax)
			}
		}
	}
}

// TestSharedIsOfOneUnitOnScreen: strips and cells within reach affect the colour range. Another layer, another
// head, the maps behind “More maps” and values of another unit do not.
func TestSharedIsOfOneUnitOnScreen(t *testing.T) {
	causal := pairs("weights", trace.Probability, 0.9) // its cell is out of reach
	causal.Value.Set(0.3, 0, 3, 1)
	causal.Reach = func(q, k int) bool { return k <= q }
	two := pairs("weights", trace.Probability, 0.25)
	two.Value.Set(1, 1, 0, 0) // in the other head
	r := report(
		result("dense", []trace.Map{causal, pairs("scores", trace.Activation, 7), pairs("logits", trace.Probability, 1)},
			[]trace.Map{pairs("weights", trace.Probability, 1)}),
		result("random", []trace.Map{two}),
		result("fastformer", []trace.Map{pairs("contribution", trace.Weight, 5), strip("alpha", 0.5),
			over("beta", trace.Activation, 9, trace.Head, trace.Token), pairs("contribution of all heads", trace.Weight, 8)}),
		engine.Result{ID: "linear", Err: fault.Errorf(fault.Unsupported, "error.no-words")},
	)
	s := first(r, figure.Shared)
	for name, want := range map[string]float64{
		"dense weights": 0.5, "random weights": 0.5, "fastformer alpha": 0.5, "fastformer contribution": 5,
		"fastformer contribution of all heads": 8, "dense scores": 7, "dense logits": 1,
	} {
		id, name, _ := strings.Cut(name, " ")
		if x := show(t, s, id, name); x.Figure.SharedMax != want {
			t.Errorf("%s %s: the scale ends at %v, not %v", id, name, x.Figure.SharedMax, want)
		}
	}
	for _, name := range []string{method.Influence, method.Rollout} {
		for i := range r.Mechanisms[:3] {
			layer := &r.Mechanisms[i].Layers[0]
			layer.Maps = append(layer.Maps, over(name, trace.Weight, float64(20+i), trace.Query, trace.Key))
		}
		s := exhibit.Select(r, exhibit.Choice{Head: 1, Norm: figure.Shared, Show: exhibit.ShowOf(name)})
		if x := show(t, s, "dense", ""); x.Name != name || x.Figure.SharedMax != 22 {
			t.Errorf("%s: %s ends at %v", name, x.Name, x.Figure.SharedMax)
		}
		if x := show(t, s, "fastformer", "contribution"); x.Figure.SharedMax != 5 {
			t.Errorf("beside %s a weight ends at %v", name, x.Figure.SharedMax)
		}
	}
}

// TestSharedScaleOfParts: all parts of an encoder–decoder are on screen, with the last layer if none is chosen.
// Rollout has a unit of its own.
func TestSharedScaleOfParts(t *testing.T) {
	s := first(report(generation()), figure.Shared)
	for part, want := range map[string]float64{engine.CrossPart: 0.625, engine.DecoderPart: 0.625,
		engine.EncoderPart: 0.625, engine.EncoderRolloutPart: 0.75} {
		if x := show(t, s, "encoder-decoder", part); x.Layer.Number != 2 || x.Figure.SharedMax != want {
			t.Errorf("%s, layer %d: the scale ends at %v, not %v", part, x.Layer.Number, x.Figure.SharedMax, want)
		}
	}
}

// TestSelectedOnce: a map is found and normalised once for each request, for any number of cards and uses.
func TestSelectedOnce(t *testing.T) {
	looked := func(cards int) int {
		count := 0
		var results []engine.Result
		for i := range cards {
			m := pairs("weights", trace.Probability, 0.5)
			m.Reach = func(q, k int) bool {
				if i == 0 {
					count++
				}
				return true
			}
			results = append(results, result(engine.IDs()[i], []trace.Map{m}))
		}
		s := first(report(results...), figure.Shared)
		for range 3 {
			for i := range results {
				show(t, s, results[i].ID, "")
			}
		}
		return count
	}
	one, many := looked(1), looked(8)
	if one == 0 || many != one {
		t.Errorf("%d cells of a map are looked at when it is alone, %d beside seven others", one, many)
	}
	s := first(report(result("dense", []trace.Map{pairs("weights", trace.Probability, 1)})), figure.PerRow)
	if show(t, s, "dense", "weights") != show(t, s, "dense", "") {
		t.Error("a map is normalised again under its name")
	}
}

// TestFoundOnce: the mean of the heads is taken when a map is found. Later uses, for another plane or after the
// colour range was measured, get the same values even if the report has changed.
func TestFoundOnce(t *testing.T) {
	other, rounds := pairs("weights", trace.Probability, 1), over("weights by round", trace.Gate, 1, trace.Head,
		trace.Round, trace.Query, trace.Key)
	r := report(result("dense", []trace.Map{pairs("weights", trace.Probability, 1)}), result("random", []trace.Map{other}),
		result("reformer", []trace.Map{rounds, pairs("weights", trace.Probability, 1)}))
	s := exhibit.Select(r, exhibit.Choice{Norm: figure.Shared})
	show(t, s, "dense", "")
	show(t, s, "reformer", "weights by round")
	clear(other.Value.Data)
	for i := range rounds.Value.Data {
		rounds.Value.Data[i] = 9
	}
	second, err := s.Exhibit("reformer", "weights by round", 2)
	if err != nil || second.Map.Value.At(1, 3) != 0 || show(t, s, "random", "").Map.Value.At(1, 3) != 0.5 {
		t.Errorf("a map is found again: %v", err)
	}
}
