package wall_test

import (
	"net/http"
	"strings"
	"testing"

	"attnatlas/static"
	"attnatlas/web/webtest"
)

// TestOnlyTheEmbeddedWallIsFramed: any page, also a file, may frame /embed. No other page may be framed, and other
// sites cannot get /embed in another way.
func TestOnlyTheEmbeddedWallIsFramed(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{})
	for path, open := range map[string]bool{
		"/embed?text=old+cat": true, "/embed?layer=x": true, "/": false, "/m/dense": false, "/compare": false,
		"/about": false, "/embed/": false, "/api/v1/mechanisms": false, "/embedding?": false,
	} {
		for _, dest := range []string{"iframe", "object", "embed", "frame"} {
			w := webtest.Get(s, path, "Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", dest)
			if got := w.Code != http.StatusForbidden; got != open {
				t.Errorf("%s as %s of another site: %d", path, dest, w.Code)
			}
			csp := w.Header().Get("Content-Security-Policy")
			if strings.Contains(csp, "frame-ancestors") == open ||
				!strings.Contains(csp, "default-src 'none'; script-src 'self'") {
				t.Errorf("%s: %s", path, csp)
			}
		}
	}
	for _, dest := range []string{"empty", "image", "script", "style"} {
		if w := webtest.Get(s, "/embed", "Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "cors", "Sec-Fetch-Dest",
			dest); w.Code != http.StatusForbidden {
			t.Errorf("as %s: %d", dest, w.Code)
		}
	}
	w := webtest.Get(s, "/embed?text=old+cat")
	if h := w.Header(); h.Get("Set-Cookie") != "" || h.Get("Referrer-Policy") != "no-referrer" ||
		h.Get("Cross-Origin-Resource-Policy") != "cross-origin" {
		t.Errorf("%v", h)
	}
}

// TestEmbeddedWall: the frame has only the cards of the wall and their readings. All other links leave the frame.
func TestEmbeddedWall(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{})
	page := webtest.Get(s, "/embed?text=old+cat&m=dense,random&race=1&example=agreement").Body.String()
	for _, has := range []string{`data-embedded="true"`, `<base target="_blank">`, `id="card-dense"`, `id="card-random"`,
		`id="readout"`, `action="/embed"`, `id="opened" data-part><a href="/?layer=1&amp;m=dense%2Crandom&amp;text=old+cat"`} {
		if !strings.Contains(page, has) {
			t.Errorf("it has no %s", has)
		}
	}
	for _, not := range []string{`class="masthead"`, `id="look-`, `class="race open`, `data-permalink="/?`} {
		if strings.Contains(page, not) {
			t.Errorf("it has %s", not)
		}
	}
	if page := webtest.Get(s, "/?text=old+cat").Body.String(); strings.Contains(page, `data-embedded="true"`) ||
		strings.Contains(page, "<base") {
		t.Error("the wall is embedded")
	}
}

// TestFilesOfPagesAreForEveryOrigin: a frame in a sandbox has its own origin, and must load the files of its page.
func TestFilesOfPagesAreForEveryOrigin(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{})
	for _, name := range []string{"js/main.js", "css/wall.css", "fonts/inter-latin-wght-normal.woff2"} {
		w := webtest.Get(s, static.URL(name), "Origin", "null", "Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "cors",
			"Sec-Fetch-Dest", "script")
		if h := w.Header(); w.Code != http.StatusOK || h.Get("Access-Control-Allow-Origin") != "*" ||
			h.Get("Cross-Origin-Resource-Policy") != "cross-origin" {
			t.Errorf("%s: %d, %v", name, w.Code, h)
		}
	}
}
