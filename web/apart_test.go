package web

import (
	"context"
	"net/http"
	"testing"

	"attnatlas/engine"
)

// TestPanicOfOneMechanism: where influence is asked for of several mechanisms at a time, the panic
// of one is its own failure, and the others have their cards.
func TestPanicOfOneMechanism(t *testing.T) {
	s := newServer(t, &fakeEngine{before: func(_ context.Context, r engine.Request) error {
		if r.Mechanisms[0] == "random" {
			panic("a bug")
		}
		return nil
	}})
	w := get(s, "/?show=influence&m=dense,random,fastformer")
	doc := parse(t, w)
	if w.Code != http.StatusOK || !present(doc, "article#card-random p.refusal-text") {
		t.Errorf("%d, and random has no refusal", w.Code)
	}
	for _, id := range []string{"dense", "fastformer"} {
		if !present(doc, "article#card-"+id+" img") {
			t.Errorf("%s has no map", id)
		}
	}
}
