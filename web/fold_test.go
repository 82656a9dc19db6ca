package web

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"attnatlas/components"

	"golang.org/x/net/html"
)

// unfolded asks for a page with all that is folded away on some cards.
func unfolded(s http.Handler, target string, ids ...string) *httptest.ResponseRecorder {
	var open []string
	for _, id := range ids {
		open = append(open, string(components.MoreOf(id)), string(components.BackgroundOf(id)), string(components.EveryOf(id)))
	}
	return get(s, target, openHeader, strings.Join(open, ","))
}

// TestFoldsAreSentWhenOpened: a page has the content of what is folded away only for a script that has it
// open; for others there is a link to where it is, and the page of a mechanism has everything.
func TestFoldsAreSentWhenOpened(t *testing.T) {
	s := newServer(t, &fakeEngine{change: stacked})
	const path = "/?text=a+b&m=dense,reformer"
	fold := func(doc *html.Node, kind string) (figures int, folded bool, links []string) {
		list := all(doc, "details#"+kind+"-reformer")
		if len(list) != 1 {
			t.Fatalf("%d folds", len(list))
		}
		_, folded = attr(list[0], "data-folded")
		return len(all(list[0], "figure")), folded, linksOf(list[0])
	}
	closed := parse(t, get(s, path))
	if figures, folded, links := fold(closed, "more"); figures > 0 || !folded || len(links) != 1 || !strings.HasPrefix(links[0], "/m/reformer?") {
		t.Errorf("closed: %d figures, folded %v, links %q", figures, folded, links)
	}
	if !present(parse(t, get(s, "/m/reformer?text=a+b")), "figure.view") {
		t.Error("the mechanism's page has no other maps")
	}
	open := parse(t, get(s, path, openHeader, "more-reformer"))
	if figures, folded, _ := fold(open, "more"); figures == 0 || folded {
		t.Errorf("open: %d figures, folded %v", figures, folded)
	}
	if _, folded, _ := fold(open, "background"); !folded {
		t.Error("what is closed is in the page")
	}
	only := parse(t, get(s, path, openHeader, "more-reformer", onlyHeader, "reformer"))
	if figures, _, _ := fold(only, "more"); figures == 0 || len(all(open, "article.card")) != 2 || len(all(only, "article.card")) != 1 {
		t.Errorf("of one card alone there are %d figures", figures)
	}
	bare := parse(t, get(s, path, openHeader, "background-reformer"))
	if present(bare, "link") || present(bare, "script") || !present(bare, "title") || !present(closed, "link") || !present(closed, "script") {
		t.Error("a script that is there loads nothing again")
	}
	if present(bare, "picture") || present(bare, "text.label") || !present(closed, "picture") || !present(closed, "text.label") {
		t.Error("pictures and labels are for those without scripts")
	}
	if vary := get(s, path).Header().Values("Vary"); !strings.Contains(strings.Join(vary, ","), openHeader) {
		t.Errorf("a cache may take one for the other: Vary is %q", vary)
	}
}
