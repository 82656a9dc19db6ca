package wall_test

import (
	"net/http"
	"strings"
	"testing"

	"attnatlas/engine/method"
	"attnatlas/web/webtest"
)

// TestRolloutOnTheWall: a card has a map with its own axis names, or a reason.
func TestRolloutOnTheWall(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{Change: webtest.Deep})
	page := webtest.Get(s, "/?show=rollout&m=bert,linformer,universal&layer=2&text=hello+you").Body.String()
	for text, count := range map[string]int{
		`data-map="rollout"`: 2, "Rollout multiplies matrices of word pairs, and Linformer’s words attend to slots.": 1,
		">Show attention<":                       1,
		"through layers 1 to 2, if only weights": 2, "through steps 1 to 2, if only weights": 2, "share ÷ row maximum": 2,
		`data-verb="comes from"`: 1, "rows Σ = 1": 2, "including words that have halted": 1, `data-map="running"`: 0,
		"-rollout-step2-all.png": 1,
	} {
		if got := strings.Count(page, text); got != count {
			t.Errorf("%q is there %d times, not %d", text, got, count)
		}
	}
	if w := webtest.Get(s, "/export/bert.png?show=rollout&text=hello"); w.Code != http.StatusOK ||
		!strings.Contains(w.Header().Get("Content-Disposition"), "bert-rollout-layer1-all.png") {
		t.Errorf("figure: %d %s", w.Code, w.Header().Get("Content-Disposition"))
	}
	a := webtest.Attend(t, s, "text=hello&m=bert&show=rollout")
	if m := a.Mechanisms[0]; len(m.Layers) != 4 || len(m.Layers[1].Maps) != 1 ||
		m.Layers[1].Maps[0].Name != method.Rollout || m.Layers[1].Maps[0].Kind != "probability" {
		t.Errorf("%+v", m.Layers)
	}
	if w := webtest.Get(s, "/api/v1/attend?text=a&m=bert&map=rollout,influence"); w.Code != http.StatusBadRequest ||
		!strings.Contains(w.Body.String(), "one method at a time") {
		t.Errorf("both: %d %s", w.Code, w.Body)
	}
}

// TestRolloutIsAQuestionOfItsOwn: a report without rollout does not answer a request for it.
func TestRolloutIsAQuestionOfItsOwn(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{})
	webtest.Get(s, "/?m=bert&text=hello")
	if page := webtest.Get(s, "/?m=bert&text=hello&show=rollout").Body.String(); !strings.Contains(page,
		`data-map="rollout"`) {
		t.Error("the cache gave another answer")
	}
}
