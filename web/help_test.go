package web_test

import (
	"net/http"
	"strings"
	"testing"

	"attnatlas/web/webtest"

	"github.com/go-chi/chi/v5"
)

// TestEveryPageIsInReach: the wall, the directory of all pages or a mechanism's page links to every page, and the
// dialog of keys links to the directory.
func TestEveryPageIsInReach(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{})
	page := webtest.Get(s, "/").Body.String()
	_, help, _ := strings.Cut(page, `class="help-pages"`)
	help, _, _ = strings.Cut(help, "</p>")
	if !strings.Contains(help, `href="/pages"`) {
		t.Errorf("the dialog of the keys does not link to the directory: %s", help)
	}
	page += webtest.Get(s, "/pages").Body.String() + webtest.Get(s, "/m/dense").Body.String()
	pages := map[string]bool{"/": true, "/embed": true, "/oembed": true} // this page, frames, and an address for programs
	checked := 0
	err := chi.Walk(s.Routes(), func(_, route string, _ http.Handler, _ ...func(http.Handler) http.Handler) error {
		route = strings.Replace(route, "{mechanism}", "dense", 1)
		if strings.Contains(route, "{") || pages[route] || strings.HasPrefix(route, "/api/") ||
			!strings.Contains(webtest.Get(s, route).Header().Get("Content-Type"), "text/html") {
			return nil
		}
		checked++
		if !strings.Contains(page, `href="`+route) {
			t.Errorf("nothing leads to %s", route)
		}
		return nil
	})
	if err != nil || checked < 10 {
		t.Errorf("%d pages: %v", checked, err)
	}
}
