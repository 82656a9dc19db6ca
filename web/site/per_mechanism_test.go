package site_test

import (
	"context"
	"net/http"
	"testing"

	"attnatlas/engine"
	"attnatlas/web/webtest"
)

// TestPanicOfOneMechanism: if the influence of several mechanisms is requested, the panic of one affects only its own
// card.
func TestPanicOfOneMechanism(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{Before: func(_ context.Context, r engine.Request) error {
		if r.Mechanisms[0] == "random" {
			panic("a bug")
		}
		return nil
	}})
	w := webtest.Get(s, "/?show=influence&m=dense,random,fastformer")
	doc := webtest.Parse(t, w)
	if w.Code != http.StatusOK || !webtest.Present(doc, "article#card-random p.refusal-text") {
		t.Errorf("%d, and random has no refusal", w.Code)
	}
	for _, id := range []string{"dense", "fastformer"} {
		if !webtest.Present(doc, "article#card-"+id+" img") {
			t.Errorf("%s has no map", id)
		}
	}
}
