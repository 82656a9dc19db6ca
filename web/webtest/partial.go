package webtest

import (
	"net/http"
	"net/http/httptest"
	"strings"

	"attnatlas/components"
	"attnatlas/web/site"
)

// Unfolded requests a page with all folded parts of some cards open.
func Unfolded(s http.Handler, target string, ids ...string) *httptest.ResponseRecorder {
	var open []string
	for _, id := range ids {
		open = append(open, string(components.MoreOf(id)), string(components.BackgroundOf(id)),
			string(components.EveryOf(id)))
	}
	return Get(s, target, site.OpenHeader, strings.Join(open, ","))
}
