package web_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"attnatlas/web"
	"attnatlas/web/address"
	"attnatlas/web/export"
	"attnatlas/web/mechanism"
	"attnatlas/web/results"
	"attnatlas/web/site"
	"attnatlas/web/webtest"

	"github.com/go-chi/chi/v5"
)

// TestNumbersBesidePages: the JSON next to each page has the numbers of the page's own query, and errors are problem
// documents, not pages.
func TestNumbersBesidePages(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{})
	usual := url.QueryEscape(address.DefaultText)
	for page, same := range map[string]string{
		"/wall.json": "/api/v1/attend?text=" + usual, "/wall.json?text=a&m=dense&pin=1.2": "/api/v1/attend?text=a&m=dense",
		"/m/dense.json?text=a&layer=2":       "/api/v1/attend?text=a&m=dense&layer=2",
		"/m/encoder-decoder.json?text=a":     "/api/v1/write?text=a",
		"/m/encoder-decoder.json":            "/api/v1/write?text=" + url.QueryEscape(address.DefaultSource),
		"/gallery.json":                      "/api/v1/examples",
		"/embed.json?text=a&m=dense&layer=2": "/api/v1/attend?text=a&m=dense&layer=2",
		"/m.json":                            "/api/v1/mechanisms", "/results.json": "/api/v1/results",
		"/compare.json?text=a&a=dense": "/api/v1/compare?text=a&a=dense",
	} {
		a, b := webtest.Get(s, page, "Accept", "text/html"), webtest.Get(s, same)
		if a.Code != 200 || !bytes.Equal(a.Body.Bytes(), b.Body.Bytes()) {
			t.Errorf("%s: %d %.200s", page, a.Code, a.Body)
		}
	}
	for page, status := range map[string]int{"/m/none.json": 404, "/wall.json?layer=x": 400, "/m/dense.json?text=": 400,
		"/m/none/source.json": 404, "/take/none.json": 404, "/take/dense.json?format=doc": 400, "/about.json?%zz": 400,
		"/wall.json?%zz": 400} {
		w := webtest.Get(s, page, "Accept", "text/html")
		if w.Code != status || w.Header().Get("Content-Type") != "application/problem+json" {
			t.Errorf("%s: %d %v", page, w.Code, w.Header())
		}
	}
}

// TestWordsBesidePages: pages that show files and words have them as JSON, too.
func TestWordsBesidePages(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{})
	var about results.About
	var source mechanism.Source
	var taken export.Take
	for path, to := range map[string]any{"/about.json": &about, "/m/dense/source.json": &source,
		"/take/dense.json?text=hello&format=csv": &taken} {
		if w := webtest.Get(s, path, "Accept", "text/html"); w.Code != 200 || json.Unmarshal(w.Body.Bytes(), to) != nil {
			t.Errorf("%s: %d %.200s", path, w.Code, w.Body)
		}
	}
	if len(about.Models) == 0 || about.Models[0].Model.Params == 0 || len(about.Data) == 0 || len(about.Methods) < 4 {
		t.Errorf("about: %d models, data %v, %d methods", len(about.Models), about.Data, len(about.Methods))
	}
	if e := s.Find("dense"); source.Text != e.Source.Text || source.Path != e.Source.Path {
		t.Errorf("source: %s", source.Path)
	}
	file, err := url.Parse(taken.URL)
	if err != nil {
		t.Fatal(err)
	}
	if n := webtest.Get(s, file.RequestURI()).Body.Len(); n != taken.Bytes || !strings.HasSuffix(taken.File, ".csv") ||
		len(taken.Texts) != 4 || len(taken.Snippets) != len(export.SnippetOrder) {
		t.Errorf("take: %d bytes are said of %d: %+v", taken.Bytes, n, taken)
	}
}

// beside reports whether a route belongs to no page: files for browsers, health checks, and descriptions of the
// server.
func beside(route string) bool {
	return strings.HasPrefix(route, "/static/") || strings.HasPrefix(route, "/api/v1/openapi") ||
		slices.Contains([]string{"/healthz", "/readyz", "/robots.txt", "/sitemap.xml", site.ElementPath}, route)
}

// TestEveryRouteIsOfAPage: all routes come from the list of pages, each page has JSON next to it, and the description
// of the API has exactly these numbers.
func TestEveryRouteIsOfAPage(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{})
	known, numbers := map[string]bool{}, map[string]bool{}
	for _, p := range s.Pages() {
		known[p.Path] = true
		if p.Data == nil {
			if p.Path != "/embedding" && p.Path != site.GlossaryPath &&
				!strings.HasPrefix(p.Path, "/docs") { // these show words, or code to copy
				t.Errorf("%s has no numbers beside it", p.Path)
			}
			continue
		}
		if p.Path != "" && p.Data.Beside == "" {
			t.Errorf("the numbers of %s are not beside it", p.Path)
		}
		numbers[p.Data.Beside] = p.Data.Beside != ""
		if p.Data.API {
			numbers[site.APIPath(p.Data.ID)] = true
		}
	}
	err := chi.Walk(s.Routes(), func(_, route string, _ http.Handler, _ ...func(http.Handler) http.Handler) error {
		if !known[route] && !numbers[route] && !beside(route) {
			t.Errorf("%s is of no page", route)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	described := webtest.DescriptionOf(t, s).Paths
	for path, is := range numbers {
		if _, ok := described[path]; is && !ok {
			t.Errorf("%s is not described", path)
		}
	}
	for path := range described {
		if !numbers[path] {
			t.Errorf("%s is described, and is no page's", path)
		}
	}
}

// TestSiteMap: the site map has the absolute address of every page, and each page exists.
func TestSiteMap(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{})
	var found struct {
		URL []struct {
			Loc string `xml:"loc"`
		} `xml:"url"`
	}
	w := webtest.Get(s, "/sitemap.xml")
	if err := xml.Unmarshal(w.Body.Bytes(), &found); err != nil || w.Code != http.StatusOK {
		t.Fatalf("%d %v: %s", w.Code, err, w.Body)
	}
	listed := map[string]bool{}
	for _, u := range found.URL {
		if _, path, ok := strings.Cut(u.Loc, "://"); ok {
			listed[path[strings.IndexByte(path, '/'):]] = true
		}
	}
	for _, path := range s.Paths() {
		if listed[path] != (path != site.EmbedPath) {
			t.Errorf("%s is listed: %v", path, listed[path])
		}
	}
}

// TestSharedCaches: shared caches may keep answers that depend only on the address, for the time that the operator
// sets, and no others.
func TestSharedCaches(t *testing.T) {
	s, err := web.New(site.Options{Inspector: &webtest.FakeEngine{}, Shared: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		"/about":             "public, max-age=0, must-revalidate, s-maxage=3600",
		"/api/v1/mechanisms": "public, max-age=0, must-revalidate, s-maxage=3600",
		"/nowhere":           "no-store", "/healthz": "no-store", "/readyz": "no-store",
	} {
		if got := webtest.Get(s, path).Header().Get("Cache-Control"); got != want {
			t.Errorf("%s: %q", path, got)
		}
	}
}
