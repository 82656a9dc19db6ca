package exhibit_test

import (
	"strings"
	"testing"

	"attnatlas/engine"
	"attnatlas/engine/figure"
	"attnatlas/engine/messages"
	"attnatlas/engine/method"
	"attnatlas/engine/trace"
)

// kinds returns maps of every kind and form of values, by name.
func kinds() engine.Result {
	signed := pairs("scores", trace.Activation, -2)
	sum := pairs("weights", trace.Probability, 1)
	steps := over("halting", trace.Gate, 1, trace.Ponder, trace.Token)
	res := result("dense", []trace.Map{
		sum, signed, over("norms", trace.Length, 1.5, trace.Query, trace.Key),
		over("meeting", trace.Count, 4, trace.Query, trace.Key),
		over("gates", trace.Gate, 0.5, trace.Query, trace.Key), over("pattern", trace.Category, 2, trace.Query, trace.Key),
		over("updates", trace.Count, 3, trace.Token),
		over("one gate", trace.Gate, 0.5, trace.Token), steps,
		over("gates by round", trace.Gate, 1, trace.Round, trace.Query, trace.Key),
		pairs("lengths", trace.Weight, 3), over(method.Influence, trace.Weight, 2, trace.Query, trace.Key),
		over(method.Rollout, trace.Probability, 1, trace.Query, trace.Key),
	})
	return res
}

// TestNormsWithoutMeaning: if the chosen normalisation is not defined for a map, it is scaled to its largest
// value, and its legend says so. Rows that are steps are always compared with each other.
func TestNormsWithoutMeaning(t *testing.T) {
	want := map[string]string{ // absolute, map, row, log, uniform, shared
		"weights":  "absolute map row log uniform shared",
		"scores":   "absolute map row map! map! shared",
		"norms":    "map! map row map! map! shared",
		"meeting":  "map! map row map! map! shared",
		"gates":    "absolute map row log map! shared",
		"pattern":  "map map map map map map", // classes are not scaled
		"updates":  "map! map map map! map! shared",
		"one gate": "absolute map map log map! shared",
		"halting":  "absolute map map map map! map",
		"lengths":  "absolute map row log uniform shared",

		"gates by round": "absolute shared row log shared! shared", // planes are compared with each other
		method.Influence: "map! map row map! map! shared",
		method.Rollout:   "absolute map row log uniform shared",
	}
	nouns := map[string]string{
		"scores": "values of either sign", "norms": "lengths", "meeting": "counts", "updates": "counts", "gates": "gates",
		"one gate": "gates", "halting": "gates", "gates by round": "gates", method.Influence: "influences",
	}
	r := report(kinds())
	for i, norm := range figure.Norms() {
		s := first(r, norm)
		for name, norms := range want {
			x := show(t, s, "dense", name)
			is, without := strings.CutSuffix(strings.Fields(norms)[i], "!")
			if x.Norm().String() != is {
				t.Errorf("%s by %v: %v, not %s", name, norm, x.Norm(), is)
			}
			says := " (" + messages.English.T("norm."+norm.String()+".label") + " does not apply to " + nouns[name] + ")"
			if legend := x.Legend().Text.String(); strings.HasSuffix(legend, says) != without ||
				strings.Contains(legend, "does not apply") != without {
				t.Errorf("%s by %v: %s", name, norm, legend)
			}
		}
	}
	// Weights with a minus sign have no shares either.
	r.Mechanisms[0].Layers[0].Maps[10].Value.Data[0] = -1
	for norm, want := range map[figure.Norm]string{
		figure.Uniform: "weight ÷ largest magnitude in the map, symmetric around 0 (× uniform does not apply to weights of either sign)",
		figure.Log:     "weight ÷ largest magnitude in the map, symmetric around 0 (log does not apply to weights of either sign)",
		figure.PerMap:  "weight ÷ largest magnitude in the map, symmetric around 0",
	} {
		if got := show(t, first(r, norm), "dense", "lengths").Legend().Text.String(); got != want {
			t.Errorf("%v: %s", norm, got)
		}
	}
}

// TestNouns: values that are derived from others have names of their own.
func TestNouns(t *testing.T) {
	s := first(report(kinds(), generation()), figure.PerRow)
	for name, want := range map[string]string{
		"dense weights": "probability", "dense influence": "influence", "dense rollout": "share", "dense norms": "length",
		"encoder-decoder encoder": "probability", "encoder-decoder encoder-rollout": "share",
	} {
		id, name, _ := strings.Cut(name, " ")
		if got := show(t, s, id, name).Legend().Text.String(); got != want+" ÷ row maximum" {
			t.Errorf("%s %s: %s", id, name, got)
		}
	}
}
