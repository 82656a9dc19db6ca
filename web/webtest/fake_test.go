package webtest_test

import (
	"io"
	"net/http"
	"testing"

	"attnatlas/web/webtest"
)

// TestAskResolvesAddresses: the relative addresses of a page begin at the root, as in a browser; all else stays.
func TestAskResolvesAddresses(t *testing.T) {
	for page, want := range map[string]string{
		`<a href="./m/dense">`:                               `<a href="/m/dense">`,
		"<img class=\"a\"\nsrc=\"../../x.png\" alt=\"./y\">": "<img class=\"a\"\nsrc=\"/x.png\" alt=\"./y\">",
		`<form action="../?m=dense">`:                        `<form action="/?m=dense">`,
		`<p data-x="./a" content=".5" href=".x">`:            `<p data-x="./a" content=".5" href=".x">`,
		`<i data-src="./a"><b srcset="./b"><a href=".">`:     `<i data-src="/a"><b srcset="/b"><a href=".">`,
		`="./a"`: `="./a"`,
	} {
		s := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			io.WriteString(w, page)
		})
		if got := webtest.Get(s, "/").Body.String(); got != want {
			t.Errorf("%s: %s, not %s", page, got, want)
		}
	}
}
