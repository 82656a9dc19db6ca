package glossary_test

import (
	"net/http"
	"strings"
	"testing"

	"attnatlas/engine/messages"
	"attnatlas/web/browsertest"
	"attnatlas/web/webtest"

	"github.com/chromedp/chromedp"
)

func TestMain(m *testing.M) { browsertest.Main(m) }

// TestGlossary: the page has every term with its definition, at the anchor to which other pages link.
func TestGlossary(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{})
	w := webtest.Get(s, "/glossary")
	webtest.CheckDocument(t, w.Body.String(), webtest.WantPage{Path: "/glossary"})
	doc := webtest.Parse(t, w)
	for _, term := range messages.English.Terms() {
		if found := webtest.All(doc, "div#"+term.ID); len(found) != 1 ||
			!strings.Contains(webtest.TextOf(found[0]), term.Says) {
			t.Errorf("%s is not defined", term.Name)
		}
	}
	for _, path := range []string{"/m/dot-product", "/m/dense", "/about", "/cost", "/hashing?m=reformer"} {
		w := webtest.Get(s, path+"", "Accept", "text/html")
		links := webtest.All(webtest.Parse(t, w), "a.term")
		if w.Code == http.StatusOK && len(links) == 0 {
			t.Errorf("%s has no terms", path)
		}
		said := map[string]bool{}
		for _, link := range links {
			href, _ := webtest.Attr(link, "href")
			if said[href] || !strings.HasPrefix(href, "/glossary#") ||
				len(webtest.All(doc, "div#"+strings.TrimPrefix(href, "/glossary#"))) != 1 {
				t.Errorf("%s links to %s", path, href)
			}
			said[href] = true
		}
	}
}

// TestTermsShowTheirDefinitions: a term shows its definition while the mouse is over it, while it has the focus of the
// keyboard, and after a tap, which does not follow the link.
func TestTermsShowTheirDefinitions(t *testing.T) {
	tab := browsertest.Browse(t, "/about")
	const shown = `document.getElementById('term-says')?.textContent === document.querySelector('a.term').dataset.says`
	const hidden = `!document.getElementById('term-says')`
	browsertest.Ask[bool](tab, `(document.querySelector('a.term').scrollIntoView({ block: 'center' }), true)`)
	box := tab.Box("a.term")
	tab.Eventually(hidden)
	tab.Do(chromedp.MouseEvent(chromedp.MouseMoved, (box[0]+box[2])/2, box[1]+8))
	tab.Eventually(shown)
	tab.Do(chromedp.MouseEvent(chromedp.MouseMoved, 2, 2))
	tab.Eventually(hidden)
	browsertest.Ask[bool](tab, `document.querySelector('a.term').focus({ focusVisible: true }) || true`)
	tab.Eventually(shown)
	browsertest.Ask[bool](tab, `document.querySelector('a.term').blur() || document.body.click() || true`)
	tab.Eventually(hidden)
	browsertest.Ask[bool](tab, `document.querySelector('a.term').dispatchEvent(new PointerEvent('click', `+
		`{ pointerType: 'touch', bubbles: true, cancelable: true })) || true`)
	tab.Eventually(shown + ` && location.pathname.endsWith('/about')`)
}
