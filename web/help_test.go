package web_test

import (
	"attnatlas/web/webtest"
	"net/http"
	"strings"
	"testing"

	"github.com/go-chi/chi/v5"
)

// TestHelpNamesEveryPage: what no link of the wall leads to, the list of keys says how to get to.
func TestHelpNamesEveryPage(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{})
	page := webtest.Get(s, "/").Body.String()
	_, help, _ := strings.Cut(page, `class="help-pages"`)
	help, _, _ = strings.Cut(help, "</p>")
	pages := map[string]bool{"/": true, "/embed": true, "/oembed": true} // here, in frames, and for programs
	checked := 0
	err := chi.Walk(s.Routes(), func(_, route string, _ http.Handler, _ ...func(http.Handler) http.Handler) error {
		last := route[strings.LastIndexByte(route, '/'):]
		if strings.Contains(last, "{") || pages[route] || strings.HasPrefix(route, "/api/") || !strings.Contains(webtest.Get(s, strings.Replace(route, "{mechanism}", "dense", 1)).Header().Get("Content-Type"), "text/html") {
			return nil
		}
		checked++
		if !strings.Contains(help, "("+last+")") && !strings.Contains(page, `href="`+route) {
			t.Errorf("nothing says how to get to %s", route)
		}
		return nil
	})
	if err != nil || checked < 10 {
		t.Errorf("%d pages: %v", checked, err)
	}
}
