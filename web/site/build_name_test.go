package site_test

import (
	"bytes"
	"html"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"attnatlas/web/site"
	"attnatlas/web/webtest"
)

// TestAddressesThatAreKept: files that a page loads have the build name in their addresses, and may be cached for
// ever. With the name of another build the answer is the same, but may not be. Links and pages have no name.
func TestAddressesThatAreKept(t *testing.T) {
	const forever = "public, max-age=31536000, immutable"
	unnamed := webtest.NewServer(t, &webtest.FakeEngine{})
	s := webtest.ServerWith(t, &webtest.FakeEngine{}, func(o *site.Options) { o.Build = "ours" })
	loads := regexp.MustCompile(`(?:src|srcset|data-src)="[./]*((?:export|api)/[^"]*)"`)
	kinds := map[string]bool{}
	for _, path := range []string{"/?text=hello+you", "/m/dense?text=hello+you", "/compare?text=hello+you",
		"/take/dense"} {
		page := webtest.Get(s, path).Body.String()
		if strings.Contains(strings.Join(regexp.MustCompile(`href="[^"]*"`).FindAllString(page, -1), " "), "v=ours") {
			t.Errorf("a link of %s has the name", path)
		}
		if strings.Contains(webtest.Get(unnamed, path).Body.String(), "v=ours") {
			t.Errorf("%s has the name where there is none", path)
		}
		for _, found := range loads.FindAllStringSubmatch(page, -1) {
			at := "/" + html.UnescapeString(found[1])
			kinds[strings.SplitN(at, "/", 3)[1]] = true
			if !strings.HasSuffix(at, "v=ours") {
				t.Errorf("%s loads %s", path, at)
			}
			ours, plain, theirs := webtest.Get(s, at), webtest.Get(s,
				strings.TrimRight(strings.TrimSuffix(at, "v=ours"), "?&")), webtest.Get(s, strings.TrimSuffix(at, "ours")+"theirs")
			if ours.Code != http.StatusOK || !bytes.Equal(ours.Body.Bytes(), plain.Body.Bytes()) ||
				!bytes.Equal(ours.Body.Bytes(), theirs.Body.Bytes()) {
				t.Errorf("%s: %d with %d bytes, %d without the name, %d with another: %.200s", at, ours.Code, ours.Body.Len(),
					plain.Body.Len(), theirs.Body.Len(), ours.Body)
			}
			if c := ours.Header().Get("Cache-Control"); c != forever {
				t.Errorf("%s: %s", at, c)
			}
			for _, w := range []string{plain.Header().Get("Cache-Control"), theirs.Header().Get("Cache-Control")} {
				if w != "no-cache" {
					t.Errorf("%s without our name: %s", at, w)
				}
			}
		}
	}
	if !kinds["export"] || !kinds["api"] {
		t.Errorf("pages load %v", kinds)
	}
	if w := webtest.Get(s, "/export/dense.png?text=&v=ours"); w.Code != http.StatusBadRequest ||
		w.Header().Get("Cache-Control") != "no-store" {
		t.Errorf("what cannot be drawn: %d %s", w.Code, w.Header().Get("Cache-Control"))
	}
	if w := webtest.Get(s, "/?text=hello&v=ours"); w.Code == http.StatusOK &&
		w.Header().Get("Cache-Control") == forever {
		t.Error("a page is kept for ever")
	}
}
