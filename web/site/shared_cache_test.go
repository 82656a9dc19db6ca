package site_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"attnatlas/engine"
	"attnatlas/engine/explain"
	"attnatlas/engine/unroll"
	"attnatlas/web/site"
	"attnatlas/web/webtest"
)

// patience is how long requests of a pressed server wait for memory.
const patience = 20 * time.Millisecond

// servers returns a server whose whole budget is held by another request, and an idle one.
func servers(t *testing.T) (pressed, idle *site.Server) {
	shared := func(o *site.Options) {
		o.Shared, o.Memory, o.Patience = time.Hour, 256<<20, patience // answers: 64 MB
		o.Cost = func(engine.Request) engine.Cost { return engine.Cost{Bytes: 1 << 20} }
	}
	pressed, idle = webtest.ServerWith(t, &webtest.FakeEngine{}, shared), webtest.ServerWith(t,
		&webtest.FakeEngine{}, shared)
	pressed.Budget().Share().Set(63 << 20)
	return pressed, idle
}

// addresses returns the pages of a server with some of their parameters.
func addresses(s *site.Server) []string {
	all := []string{"/gallery.json", site.APIPath("attend") + "?text=a", site.APIPath("race") + "?text=a&race=all",
		site.APIPath("examples"), "/?show=influence", "/?text=a+[MASK]&race=all"}
	for _, p := range s.Pages() {
		if p.Path != "" {
			all = append(all, p.Paths()[0], p.Paths()[0]+"?other=b+c")
		}
	}
	return all
}

// TestNothingIncompleteIsStored: without free memory, a page is a 503, or the same page as always. No cache stores a
// page with missing parts. A page that makes many small requests waits once, not for each.
func TestNothingIncompleteIsStored(t *testing.T) {
	pressed, idle := servers(t)
	for _, path := range addresses(pressed) {
		began := time.Now()
		w := webtest.Get(pressed, path)
		took, usual := time.Since(began), webtest.Get(idle, path)
		whole := w.Code == usual.Code && w.Body.String() == usual.Body.String()
		if !whole && w.Header().Get("Cache-Control") != "no-store" {
			t.Errorf("%s: %d %s, %d bytes instead of %d", path, w.Code, w.Header().Get("Cache-Control"), w.Body.Len(),
				usual.Body.Len())
		}
		if many := strings.HasPrefix(path, "/gallery") || path == "/m" || path == site.APIPath("examples"); many &&
			w.Code != http.StatusServiceUnavailable {
			t.Errorf("%s: %d after %v", path, w.Code, took)
		}
	}
}

// TestPartsOfPagesArePrivate: caches share no parts that scripts request by headers. Vary is one line, because some
// caches read only the last line.
func TestPartsOfPagesArePrivate(t *testing.T) {
	s := webtest.ServerWith(t, &webtest.FakeEngine{}, func(o *site.Options) {
		o.Shared, o.Access.Readers = time.Hour, []string{"https://a.example", "https://b.example"}
	})
	for _, path := range addresses(s) {
		for _, name := range []string{site.OpenHeader, site.OnlyHeader, site.HasHeader, "Origin"} {
			for _, value := range []string{"", "https://a.example"} {
				h := webtest.Get(s, path, name, value, "Sec-Fetch-Site", "same-origin").Header()
				if lines := h.Values("Vary"); len(lines) != 1 {
					t.Errorf("%s with %s: %q: %d lines of Vary", path, name, value, len(lines))
				}
				if keep := h.Get("Cache-Control"); name != "Origin" && strings.Contains(keep, "public") {
					t.Errorf("%s with %s: %q: %s", path, name, value, keep)
				}
			}
		}
	}
}

// TestRequestDoesNotWaitForItself: on an idle server, a page of two texts and the numbers of a long text are answered
// or refused at once, however much they claim.
func TestRequestDoesNotWaitForItself(t *testing.T) {
	s := webtest.ServerWith(t, nil, func(o *site.Options) {
		o.Inspector, o.Memory, o.Patience = apart{&webtest.FakeEngine{}}, 64<<20, patience // answers: 16 MB
		o.Cost = func(engine.Request) engine.Cost { return engine.Cost{Bytes: 5 << 20} }
	})
	long := "text=" + strings.Repeat("a+", 505)
	for path, want := range map[string]int{
		"/?text=hello+you&other=hello+me": 200, "/compare?text=hello+you&pin=1.1": 200,
		"/api/v1/drawing?text=hello+you&other=hello+me": 200,
		"/explain?pin=20.20&" + long:                    422, "/api/v1/explain?pin=20.20&" + long: 422, "/steps?" + long: 422,
		"/api/v1/steps?" + long: 422,
		"/hashing?" + long:      422, "/reversing?" + long: 422,
	} {
		if w := webtest.Get(s, path); w.Code != want {
			t.Errorf("%.60s: %d, want %d: %.300s", path, w.Code, want, w.Body)
		}
	}
}

// apart is an engine that unrolls every text, with empty results.
type apart struct{ *webtest.FakeEngine }

func (apart) Explain(context.Context, explain.Question) (*explain.Explanation, error) {
	return nil, nil
}
func (apart) Steps(context.Context, explain.StepsRequest) (*explain.Steps, error) { return nil, nil }
func (apart) Hashing(context.Context, unroll.HashingRequest) (*unroll.Hashing, error) {
	return nil, nil
}
func (apart) Reversing(context.Context, engine.Request, int) (*unroll.Reversing, error) {
	return nil, nil
}
