package wall_test

import (
	"strings"
	"testing"

	"attnatlas/web/browsertest"
	"attnatlas/web/site"
	"attnatlas/web/webtest"

	"github.com/chromedp/chromedp"
	"golang.org/x/net/html"
)

// TestFoldsAreSentWhenOpened: a page has the content of a folded part only for scripts that have it open. Others
// get a link to it. The page of a mechanism has everything.
func TestFoldsAreSentWhenOpened(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{Change: webtest.Stacked})
	const path = "/?text=a+b&m=dense,reformer"
	fold := func(doc *html.Node, kind string) (figures int, folded bool, links []string) {
		list := webtest.All(doc, "details#"+kind+"-reformer")
		if len(list) != 1 {
			t.Fatalf("%d folds", len(list))
		}
		_, folded = webtest.Attr(list[0], "data-folded")
		return len(webtest.All(list[0], "figure")), folded, webtest.LinksOf(list[0])
	}
	closed := webtest.Parse(t, webtest.Get(s, path))
	if figures, folded, links := fold(closed, "more"); figures > 0 || !folded || len(links) != 1 ||
		!strings.HasPrefix(links[0], "/m/reformer?") {
		t.Errorf("closed: %d figures, folded %v, links %q", figures, folded, links)
	}
	if !webtest.Present(webtest.Parse(t, webtest.Get(s, "/m/reformer?text=a+b")), "figure.view") {
		t.Error("the mechanism's page has no other maps")
	}
	open := webtest.Parse(t, webtest.Get(s, path, site.OpenHeader, "more-reformer"))
	if figures, folded, _ := fold(open, "more"); figures == 0 || folded {
		t.Errorf("open: %d figures, folded %v", figures, folded)
	}
	if _, folded, _ := fold(open, "background"); !folded {
		t.Error("what is closed is in the page")
	}
	only := webtest.Parse(t, webtest.Get(s, path, site.OpenHeader, "more-reformer", site.OnlyHeader, "reformer"))
	if figures, _, _ := fold(only, "more"); figures == 0 || len(webtest.All(open, "article.card")) != 2 ||
		len(webtest.All(only, "article.card")) != 1 {
		t.Errorf("of one card alone there are %d figures", figures)
	}
	bare := webtest.Parse(t, webtest.Get(s, path, site.OpenHeader, "background-reformer"))
	if webtest.Present(bare, "link") || webtest.Present(bare, "script") || !webtest.Present(bare, "title") ||
		!webtest.Present(closed, "link") || !webtest.Present(closed, "script") {
		t.Error("a script that is there loads nothing again")
	}
	if webtest.Present(bare, "picture") || webtest.Present(bare, "text.label") || !webtest.Present(closed, "picture") ||
		!webtest.Present(closed, "text.label") {
		t.Error("pictures and labels are for those without scripts")
	}
	if vary := webtest.Get(s, path).Header().Values("Vary"); !strings.Contains(strings.Join(vary, ","), site.OpenHeader) {
		t.Errorf("a cache may take one for the other: Vary is %q", vary)
	}
}

// TestDisclosureStaysOpen: an open fold stays open while the text changes.
func TestDisclosureStaysOpen(t *testing.T) {
	tab := browsertest.Browse(t, "/")
	tab.Trigger("#background-dense summary")
	tab.Do(chromedp.SendKeys(chromedp.CSS("#c-text"), " And?"))
	tab.Eventually(`document.querySelectorAll('.token').length === 21`)
	tab.Eventually(`document.getElementById('background-dense').open
		&& !document.getElementById('background-random').open`)
}
