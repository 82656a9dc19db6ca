package exhibit_test

import (
	"context"
	"strings"
	"testing"

	"attnatlas/engine"
	"attnatlas/engine/enginetest"
	"attnatlas/engine/exhibit"
	"attnatlas/engine/explain"
	"attnatlas/engine/messages"
)

// TestEveryStepIsSaid: each step of each model has a sentence and a shape in words.
func TestEveryStepIsSaid(t *testing.T) {
	e := enginetest.EveryModel(t)
	for _, id := range append(engine.IDs(), engine.StackIDs()...) {
		for layer := 1; layer <= 2; layer++ {
			w, err := explain.New(e).Steps(context.Background(),
				explain.StepsRequest{Request: engine.Request{Text: "The old cat sat.", Mechanisms: []string{id}}, Layer: layer})
			if err != nil {
				t.Fatal(id, err)
			}
			for i, s := range w.List {
				said := exhibit.StepSentence(messages.English, s)
				if !strings.HasSuffix(said, ".") || strings.Contains(said, "steps.") || strings.Contains(said, "{{") {
					t.Errorf("%s: the step %q is said as %q; its sentence is %s under [steps.say] in engine/messages/en/steps.toml",
						id, s.Key, said, messages.Key(s.Map.Name))
				}
				if shape := exhibit.ShapeInWords(messages.English, w.View(i, 1, 1), w.Heads); shape == "" ||
					strings.Contains(shape, "steps.") {
					t.Errorf("%s %s has the shape %q", id, s.Key, shape)
				}
			}
		}
	}
}

// TestShapesInWords: the shape of one head, and of all heads.
func TestShapesInWords(t *testing.T) {
	w, err := explain.New(engine.New()).Steps(context.Background(),
		explain.StepsRequest{Request: engine.Request{Text: "The old cat sat.",
			Mechanisms: []string{"dot-product"}}, Layer: 1})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"q": "7 words × 32 features, of 128 features side by side in all heads", "weights": "7 words × 7 words",
		"ffn hidden":  "7 words × 512 features",
		"pooled text": "128 features", "guess": "1 word × 128 features", "word": "1 word × the 10 likeliest of all words",
	}
	for i, s := range w.List {
		got := exhibit.ShapeInWords(messages.English, w.View(i, 2, 1), w.Heads)
		if want[s.Key] != "" && got != want[s.Key] {
			t.Errorf("%s: %q", s.Key, got)
		}
		delete(want, s.Key)
	}
	if len(want) > 0 {
		t.Errorf("there is no %v", want)
	}
	if w, err = explain.New(engine.New()).Steps(context.Background(),
		explain.StepsRequest{Request: engine.Request{Text: "The old cat sat on the mat.", Mechanisms: []string{"reformer"}},
			Layer: 1}); err != nil {
		t.Fatal(err)
	}
	for i, s := range w.List {
		if got := exhibit.ShapeInWords(messages.English, w.View(i, 2, 1), w.Heads); s.Key == "window weights" &&
			got != "24 places × 8 places" {
			t.Errorf("%s: %q", s.Key, got)
		}
	}
}
