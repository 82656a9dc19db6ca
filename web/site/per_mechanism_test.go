package site_test

import (
	"context"
	"net/http"
	"testing"

	"attnatlas/engine"
	"attnatlas/engine/fault"
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

// TestPassingErrorsAreForgotten: the server asks again after an error that may be gone, and keeps another.
func TestPassingErrorsAreForgotten(t *testing.T) {
	for kind, calls := range map[fault.Kind]int64{fault.Busy: 2, fault.NotFound: 2, fault.Unsupported: 1} {
		f := &webtest.FakeEngine{Change: func(r *engine.Report) {
			r.Mechanisms[0].Layers, r.Mechanisms[0].Err = nil, webtest.Refused(kind, "later")
		}}
		s := webtest.NewServer(t, f)
		for range 2 {
			webtest.Get(s, "/api/v1/attend?text=hello&m=dense")
		}
		if n := f.Calls.Load(); n != calls {
			t.Errorf("kind %v: the engine was asked %d times, wanted %d", kind, n, calls)
		}
	}
}
