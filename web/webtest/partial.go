package webtest

import (
	"attnatlas/components"
	"attnatlas/web/site"
	"net/http"
	"net/http/httptest"
	"strings"
)

// Unfolded asks for a page with all that is folded away on some cards.
func Unfolded(s http.Handler, target string, ids ...string) *httptest.ResponseRecorder {
	var open []string
	for _, id := range ids {
		open = append(open, string(components.MoreOf(id)), string(components.BackgroundOf(id)),
			string(components.EveryOf(id)))
	}
	return Get(s, target, site.OpenHeader, strings.Join(open, ","))
}
