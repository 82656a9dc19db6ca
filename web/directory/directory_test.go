package directory_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"attnatlas/engine/messages"
	"attnatlas/web/directory"
	"attnatlas/web/scene"
	"attnatlas/web/site"
	"attnatlas/web/webtest"

	"golang.org/x/net/html"
)

// TestPagesAreListedByThemselves: a page needs only a path to be listed. Single items are left to the page that
// lists them all.
func TestPagesAreListedByThemselves(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{})
	names := func() []string { return []string{"first", "second"} }
	s.Register(site.Page{Path: "/index"}, site.Page{Path: "/index/{one}", Names: names},
		site.Page{Path: "/single/{one}", Title: "index.title", Summary: "index.summary", Names: names})
	doc := webtest.Parse(t, webtest.Get(s, "/about"))
	links := webtest.LinksOf(webtest.All(doc, "nav#directory")[0])
	for path, want := range map[string]bool{"/index": true, "/index/first": false, "/single/first": true,
		"/single/second": false, site.EmbedPath: false, site.DirectoryPath: false} {
		if slices.Contains(links, path) != want {
			t.Errorf("%s in the directory: %v, want %v", path, !want, want)
		}
	}
	if !slices.Contains(webtest.LinksOf(webtest.All(doc, "nav#pages")[0]), site.DirectoryPath) {
		t.Error("the masthead does not lead to the directory")
	}
}

// TestDirectoryCarriesTheText: its links have the text and the colours. Links to pages about one model do not have
// the mechanisms of the wall. Hostile text is escaped in every field.
func TestDirectoryCarriesTheText(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{})
	links := webtest.LinksOf(webtest.All(webtest.Parse(t, webtest.Get(s, "/?text=hello+you&theme=dark&m=dense&layer=2")),
		"nav#directory")[0])
	for _, want := range []string{"/steps?text=hello+you&theme=dark", "/hashing?text=hello+you&theme=dark",
		"/cost?layer=2&m=dense&text=hello+you&theme=dark"} {
		if !slices.Contains(links, want) {
			t.Errorf("no link %s in %v", want, links)
		}
	}
	w := webtest.Get(s, "/pages?text=a%00b%ff&q=%00<script>")
	if body := w.Body.String(); w.Code != http.StatusOK || strings.Contains(body, "\x00") || !utf8.ValidString(body) ||
		!strings.Contains(body, "value=\"\uFFFD&lt;script&gt;\"") {
		t.Errorf("%d: hostile bytes came through", w.Code)
	}
}

// found returns the names of the entries that a search left.
func found(doc *html.Node) (names []string) {
	for _, group := range webtest.All(doc, "details.directory-group") {
		for _, item := range webtest.All(group, "li") {
			if _, out := webtest.Attr(item, "hidden"); !out {
				names = append(names, webtest.TextOf(webtest.All(item, "a")[0]))
			}
		}
	}
	return names
}

// TestSearch: without scripts a search keeps the pages, mechanisms, terms, examples and papers that have all of
// its words. The numbers next to the page agree.
func TestSearch(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{})
	for search, want := range map[string]string{
		"hashing": "Hashing", "sparse attention": "Longformer", "csv": "Export",
		"FASTFORMER": "Fastformer", "Wu additive": "Fastformer: Additive Attention Can Be All You Need",
		messages.English.Terms()[3].Says: messages.English.Terms()[3].Name,
		scene.Examples()[0].Text:         messages.English.T("example." + scene.Examples()[0].ID + ".title"),
	} {
		query := "?" + url.Values{"q": {search}}.Encode()
		names := found(webtest.Parse(t, webtest.Get(s, "/pages"+query)))
		counted := 0
		for _, count := range webtest.All(webtest.Parse(t, webtest.Get(s, "/pages"+query)), "span.directory-count") {
			n, _ := strconv.Atoi(webtest.TextOf(count))
			counted += n
		}
		if counted != len(names) {
			t.Errorf("%q: groups count %d entries, %d are shown", search, counted, len(names))
		}
		if !slices.Contains(names, want) || len(names) > 30 {
			t.Errorf("%q finds %q, not %q", search, names, want)
		}
		var answer directory.Directory
		if err := json.Unmarshal(webtest.Get(s, "/pages.json"+query).Body.Bytes(), &answer); err != nil {
			t.Fatal(err)
		}
		var beside []string
		for _, g := range answer.Groups {
			for _, e := range g.Entries {
				beside = append(beside, e.Name)
			}
		}
		if !slices.Equal(beside, names) {
			t.Errorf("%q: %q beside %q", search, beside, names)
		}
	}
	all, none := found(webtest.Parse(t, webtest.Get(s, "/pages"))),
		found(webtest.Parse(t, webtest.Get(s, "/pages?q=xyzzy")))
	if len(all) < 130 || len(none) != 0 {
		t.Errorf("%d entries, %q found", len(all), none)
	}
}

// TestCrumbs: every page except the wall links back to the maps of the visitor's text. A mechanism's page also
// links to the list of all.
func TestCrumbs(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{})
	for path, links := range map[string]int{"/about": 1, "/cost": 1, "/gallery": 1, "/compare": 1, "/m": 1, "/pages": 1,
		"/m/dense": 2, "/m/dense/source": 2, "/docs": 1, "/docs/guide": 2, "/": 0} {
		crumbs := webtest.All(webtest.Parse(t, webtest.Get(s, path+"?text=hello+you&theme=dark")), "nav#crumbs")
		if links == 0 {
			if len(crumbs) > 0 {
				t.Errorf("%s leads back to itself", path)
			}
			continue
		}
		if len(crumbs) != 1 {
			t.Errorf("%s has no way back", path)
			continue
		}
		if long := webtest.TextOf(webtest.All(webtest.Parse(t, webtest.Get(s, path+"?text="+strings.Repeat("hello+", 40))),
			"nav#crumbs")[0]); !strings.Contains(long, "hello hello…”") {
			t.Errorf("%s: %q", path, long)
		}
		all := webtest.LinksOf(crumbs[0])
		if len(all) != links || !strings.HasPrefix(all[0], "/?") || !strings.Contains(all[0], "text=hello+you&theme=dark") ||
			!strings.Contains(webtest.TextOf(crumbs[0]), "“hello you”") {
			t.Errorf("%s: %v, %q", path, all, webtest.TextOf(crumbs[0]))
		}
	}
}
