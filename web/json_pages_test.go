package web_test

import (
	"attnatlas/web"
	"attnatlas/web/address"
	"attnatlas/web/api"
	"attnatlas/web/export"
	"attnatlas/web/site"
	"attnatlas/web/webtest"
	"bytes"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-chi/chi/v5"
)

// TestNumbersBesidePages: beside each page stand the numbers of its own query, and what is wrong with that is a problem
// and no page.
func TestNumbersBesidePages(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{})
	usual := url.QueryEscape(address.DefaultText)
	for page, same := range map[string]string{
		"/wall.json": "/api/v1/attend?text=" + usual, "/wall.json?text=a&m=dense&pin=1.2": "/api/v1/attend?text=a&m=dense",
		"/m/dense.json?text=a&layer=2": "/api/v1/attend?text=a&m=dense&layer=2", "/m/encoder-decoder.json?text=a": "/api/v1/write?text=a",
		"/m/encoder-decoder.json":            "/api/v1/write?text=" + url.QueryEscape(address.DefaultSource),
		"/gallery.json":                      "/api/v1/examples",
		"/embed.json?text=a&m=dense&layer=2": "/api/v1/attend?text=a&m=dense&layer=2",
		"/m.json":                            "/api/v1/mechanisms", "/results.json": "/api/v1/results", "/compare.json?text=a&a=dense": "/api/v1/compare?text=a&a=dense",
	} {
		a, b := webtest.Get(s, page, "Accept", "text/html"), webtest.Get(s, same)
		if a.Code != 200 || !bytes.Equal(a.Body.Bytes(), b.Body.Bytes()) {
			t.Errorf("%s: %d %.200s", page, a.Code, a.Body)
		}
	}
	for page, status := range map[string]int{"/m/none.json": 404, "/wall.json?layer=x": 400, "/m/dense.json?text=": 400, "/m/none/source.json": 404, "/take/none.json": 404, "/take/dense.json?format=doc": 400, "/about.json?%zz": 400, "/wall.json?%zz": 400} {
		w := webtest.Get(s, page, "Accept", "text/html")
		if w.Code != status || w.Header().Get("Content-Type") != "application/problem+json" {
			t.Errorf("%s: %d %v", page, w.Code, w.Header())
		}
	}
}

// TestWordsBesidePages: pages that show files and words have them as JSON, too.
func TestWordsBesidePages(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{})
	var about api.About
	var source api.Source
	var taken api.Take
	for path, to := range map[string]any{"/about.json": &about, "/m/dense/source.json": &source, "/take/dense.json?text=hello&format=csv": &taken} {
		if w := webtest.Get(s, path, "Accept", "text/html"); w.Code != 200 || json.Unmarshal(w.Body.Bytes(), to) != nil {
			t.Errorf("%s: %d %.200s", path, w.Code, w.Body)
		}
	}
	if len(about.Models) < 19 || about.Models[0].Model.Params == 0 || len(about.Data) == 0 || len(about.Methods) < 4 {
		t.Errorf("about: %d models, data %v, %d methods", len(about.Models), about.Data, len(about.Methods))
	}
	if e := s.Find("dense"); source.Text != e.Source.Text || source.Path != e.Source.Path {
		t.Errorf("source: %s", source.Path)
	}
	file, err := url.Parse(taken.URL)
	if err != nil {
		t.Fatal(err)
	}
	if n := webtest.Get(s, file.RequestURI()).Body.Len(); n != taken.Bytes || !strings.HasSuffix(taken.File, ".csv") || len(taken.Texts) != 4 || len(taken.Snippets) != len(export.SnippetOrder) {
		t.Errorf("take: %d bytes are said of %d: %+v", taken.Bytes, n, taken)
	}
}

// TestEveryRouteIsDescribed: what programs may ask is in the description, and what is described is there.
func TestEveryRouteIsDescribed(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{})
	described := webtest.DescriptionOf(t, s)
	pages := []string{"/", "/m", "/m/{mechanism}", "/m/{mechanism}/source", "/gallery", "/compare", "/results", "/cost", "/reach", "/about", "/explain", "/steps", "/desk", "/hashing", "/reversing", "/pondering", "/take/{take}", "/embedding", site.EmbedPath, "/healthz", "/readyz", site.ElementPath}
	listed := append(s.Paths(), "/healthz", "/readyz", site.ElementPath) // which are no pages
	routes := map[string]bool{}
	err := chi.Walk(s.Routes(), func(_, route string, _ http.Handler, _ ...func(http.Handler) http.Handler) error {
		routes[route] = true
		if strings.HasPrefix(route, "/static/") || strings.HasPrefix(route, "/api/v1/openapi") || slices.Contains(pages, route) {
			if page := strings.NewReplacer("{mechanism}", "dense", "{take}", "dense").Replace(route); slices.Contains(pages, route) && !slices.Contains(listed, page) {
				t.Errorf("Pages does not have %s", page)
			}
			return nil
		}
		if _, ok := described.Paths[route]; !ok {
			t.Errorf("%s is not described", route)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	without := map[string]string{"/": "it is /wall.json", "/embedding": "it is a page of words and of code to copy"}
	for _, page := range pages {
		is := slices.Contains(s.Paths(), strings.NewReplacer("{mechanism}", "dense", "{take}", "dense").Replace(page))
		if _, reason := without[page]; is && !reason && !routes[page+".json"] {
			t.Errorf("%s has no .json beside it, and no reason is known", page)
		}
	}
	for path := range described.Paths {
		if !routes[path] {
			t.Errorf("%s is described, and not there", path)
		}
	}
}

// TestSharedCaches: what the address alone decides may be kept for as long as whoever runs the server says, and
// nothing else.
func TestSharedCaches(t *testing.T) {
	s, err := web.New(site.Options{Inspector: &webtest.FakeEngine{}, Shared: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		"/about": "public, max-age=0, must-revalidate, s-maxage=3600", "/api/v1/mechanisms": "public, max-age=0, must-revalidate, s-maxage=3600",
		"/nowhere": "no-store", "/healthz": "no-store", "/readyz": "no-store",
	} {
		if got := webtest.Get(s, path).Header().Get("Cache-Control"); got != want {
			t.Errorf("%s: %q", path, got)
		}
	}
}
