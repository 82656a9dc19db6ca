package wall_test

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"testing"

	"attnatlas/engine"
	"attnatlas/engine/method"
	"attnatlas/web/webtest"
)

// halts makes universal stop after four of six possible steps.
func halts(r *engine.Report) {
	webtest.Deep(r)
	for i := range r.Mechanisms {
		m := &r.Mechanisms[i]
		if m.ID != "universal" {
			continue
		}
		last := m.Layers[len(m.Layers)-1]
		last.Number, last.Name = 4, "step 4"
		m.Layers, m.Model.Layers = append(m.Layers, last), 6
	}
}

// TestStepsThatAShortTextDoesNotTake: an address with a step that the model has is valid. If the text did not take
// that step, its last step is shown.
func TestStepsThatAShortTextDoesNotTake(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{Change: halts})
	const stopped = "This text stopped after 4 of at most 6 steps."
	for path, want := range map[string]struct {
		status int
		says   string
	}{
		"/m/universal?layer=5&text=hello":      {http.StatusOK, stopped},
		"/?m=universal&layer=6&text=hello":     {http.StatusOK, stopped},
		"/?m=universal,bert&layer=6&text=hi":   {http.StatusOK, stopped},
		"/?m=universal&layer=2&text=hello":     {http.StatusOK, stopped},
		"/?m=universal&layer=7&text=hello":     {http.StatusNotFound, "No layer 7; the models here have up to 6 steps."},
		"/?m=bert&layer=5&text=hello":          {http.StatusNotFound, "No layer 5; the models here have 4 layers."},
		"/export/universal.png?layer=5&text=a": {http.StatusNotFound, "tep 5 does not exist: Universal took 4 steps"},
	} {
		if w := webtest.Get(s, path); w.Code != want.status || !strings.Contains(w.Body.String(), want.says) {
			t.Errorf("%s: %d, or it does not say %q", path, w.Code, want.says)
		}
	}
	w := webtest.Get(s, "/m/universal?layer=5&text=hello")
	if page := webtest.PlainText(webtest.Parse(t, w)); !strings.Contains(page,
		webtest.Spelled("Step 4 of 4, with the same weights")) || strings.Contains(w.Body.String(), `role="alert"`) {
		t.Error("the last step is not the one that is shown, or the address is called wrong")
	}
	if page := webtest.Get(s, "/m/bert?text=hello").Body.String(); strings.Contains(page, "stopped after") {
		t.Error("bert stopped")
	}
}

// TestInfluenceOfTheLastStep: influence is measured for the step that is shown.
func TestInfluenceOfTheLastStep(t *testing.T) {
	var asked []int
	f := &webtest.FakeEngine{Change: halts, Before: func(_ context.Context, r engine.Request) error {
		asked = append(asked, webtest.LayerOf(r, method.Influence))
		return nil
	}}
	if webtest.Get(webtest.NewServer(t, f), "/m/universal?layer=5&text=hello&show=influence"); !slices.Equal(asked,
		[]int{5, 4}) {
		t.Errorf("asked for the influence of layers %v", asked)
	}
}
