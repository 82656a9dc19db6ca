package site_test

import (
	"net/http"
	"strings"
	"testing"

	"attnatlas/web/site"
	"attnatlas/web/webtest"
)

// TestReaders: scripts on this machine's pages, and of named origins, may read numbers. All origins may load the
// scripts that draw them. Nothing else can be read from other origins, and no cookies are used.
func TestReaders(t *testing.T) {
	const here, named, other = "http://localhost:8888", "https://course.example.org", "https://evil.example"
	for _, c := range []struct {
		path, origin string
		readers      []string
		want         bool
	}{
		{"/export/dense.json?text=a", here, nil, true}, {"/api/v1/attend?text=a&m=dense", "http://127.0.0.1:1", nil, true},
		{"/api/v1/mechanisms", "http://[::1]:1", nil, true},
		{"/attention-map.js", other, nil, true}, {"/attention-map.js", "null", nil, true},
		{"/export/dense.json?text=a", named, []string{named}, true},
		{"/export/dense.json?text=a", other, []string{"*"}, true},
		{"/export/dense.json?text=a", other, []string{named}, false}, {"/export/dense.json?text=a", "null", nil, false},
		{"/api/v1/attend?text=a", other, nil, false},
		{"/export/dense.json?text=a", "http://localhost.evil.example", nil, false},
		{"/export/dense.json?text=a", "ftp://localhost", nil, false},
		{"/export/dense.png?text=a", here, nil, false}, {"/", here, []string{"*"}, false},
		{"/api/v1/race?text=a&hide=a", here, nil, false}, {"/about", named, []string{named}, false},
		{"/embed", here, []string{"*"}, false},
	} {
		w := webtest.Get(webtest.Based(t, "", site.Access{Readers: c.readers}), c.path, "Origin", c.origin, "Sec-Fetch-Site",
			"cross-site", "Sec-Fetch-Mode", "cors", "Sec-Fetch-Dest", "empty")
		h := w.Header()
		if got := h.Get("Access-Control-Allow-Origin") == c.origin; got != c.want ||
			h.Get("Access-Control-Allow-Credentials") != "" {
			t.Errorf("%s from %s: %d, %v", c.path, c.origin, w.Code, h)
		}
		if c.want && (w.Code != http.StatusOK || len(h.Values("Vary")) != 1 || !strings.Contains(h.Get("Vary"), "Origin")) {
			t.Errorf("%s from %s: %d, %v", c.path, c.origin, w.Code, h)
		}
	}
}
