package cost_test

import (
	"net/http"
	"testing"

	"attnatlas/engine/attention"
	"attnatlas/engine/costs"
	"attnatlas/web/webtest"
)

// TestCostAddresses: a URL contains the differences from the defaults, and is read back as written.
func TestCostAddresses(t *testing.T) {
	s := quickCosts(t)
	w := webtest.Ask(s, http.MethodPost,
		"/cost?measure=stop&n=300&width=64&heads=4&positions=512&of=linformer&option.slots=4")
	const to = "/cost?n=300&of=linformer&option.slots=4&positions=512&width=64"
	if got := w.Header().Get("Location"); got != to {
		t.Error(got)
	}
	back := costsOf(t, s, to[len("/cost"):])
	sizes := costs.Sizes{Length: 300, Width: 64, Heads: 4, Positions: 512}
	if back.Sizes != sizes || back.Chosen == nil || back.Chosen.ID != "linformer" ||
		back.Chosen.Parameters.Value != int64(attention.Linformer.Params(sizes.Config(map[string]string{"slots": "4"}))) {
		t.Errorf("%+v, %+v", back.Sizes, back.Chosen)
	}
	if !webtest.Present(webtest.Parse(t, webtest.Get(s, to)), "input#cost-option-slots[value=4]") {
		t.Error("the page does not have the option")
	}
}
