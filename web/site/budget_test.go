package site_test

import (
	"net/http"
	"testing"
	"time"

	"attnatlas/engine"
	"attnatlas/web/site"
	"attnatlas/web/webtest"
)

// TestSecondTextCosts: a request with two texts needs memory for both reports.
func TestSecondTextCosts(t *testing.T) {
	s := webtest.ServerWith(t, &webtest.FakeEngine{}, func(o *site.Options) {
		o.Memory, o.Patience = 64<<20, 10*time.Millisecond // answers: 16 MB
		o.Cost = func(engine.Request) engine.Cost { return engine.Cost{Bytes: 3 << 20} }
	})
	share := s.Budget().Share()
	share.Set(5 << 20) // the rest suffices for one report and its answer
	if w := webtest.Get(s, "/?text=hello+you"); w.Code != http.StatusOK {
		t.Errorf("one text: %d", w.Code)
	}
	for _, path := range []string{"/?text=hello+you&other=hello+me", "/api/v1/drawing?text=hello+you&other=hello+me",
		"/api/v1/compare?text=hello+you", "/export/compare.png?text=hello+you"} {
		if w := webtest.Get(s, path); w.Code != http.StatusServiceUnavailable {
			t.Errorf("%s: %d", path, w.Code)
		}
	}
	for _, path := range []string{"/api/v1/attend?text=hello+you&other=hello+me",
		"/export/dense.png?text=hello+you&other=hello+me"} {
		if w := webtest.Get(s, path); w.Code != http.StatusOK {
			t.Errorf("%s, where it has no effect: %d", path, w.Code)
		}
	}
}
