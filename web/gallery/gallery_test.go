package gallery_test

import (
	"net/http"
	"strconv"
	"strings"
	"testing"

	"attnatlas/engine"
	"attnatlas/engine/fault"
	"attnatlas/engine/messages"
	"attnatlas/web/browsertest"
	"attnatlas/web/scene"
	"attnatlas/web/webtest"
)

// TestGallery: every example has a picture, a link to its state and its measured sentence. An example that cannot
// be measured says so.
func TestGallery(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{})
	doc := webtest.Parse(t, webtest.Get(s, "/gallery?text=hello+you&theme=dark"))
	items := webtest.All(doc, "li.gallery-item")
	if len(items) != len(scene.Examples()) {
		t.Fatalf("%d items", len(items))
	}
	if terms := webtest.All(doc, "a.term"); len(terms) < 5 {
		t.Errorf("%d terms link to the glossary", len(terms))
	}
	for i, item := range items {
		sc := scene.Examples()[i]
		if sc.Claims[0].Layer > webtest.FakeLayers {
			continue
		}
		pictures, links := webtest.All(item, "img"), webtest.All(item, "a")
		if len(pictures) != 1 || len(links)-len(webtest.All(item, "a.term")) != 2 {
			t.Fatalf("%s: %d pictures, %d links", sc.ID, len(pictures), len(links))
		}
		src, _ := webtest.Attr(pictures[0], "src")
		href, _ := webtest.Attr(links[1], "href")
		if w := webtest.Get(s, src); w.Code != http.StatusOK || w.Header().Get("Content-Type") != "image/png" ||
			!strings.Contains(src, "theme=dark") {
			t.Errorf("%s: %s answers %d", sc.ID, src, w.Code)
		}
		if !strings.Contains(href, "example="+sc.ID) || !strings.Contains(href, "theme=dark") {
			t.Errorf("%s leads to %s", sc.ID, href)
		}
	}
	if back := webtest.All(doc, "nav#pages"); !strings.Contains(strings.Join(webtest.LinksOf(back[0]), " "),
		"/?text=hello+you&theme=dark") {
		t.Errorf("no way back to the text in %v", webtest.LinksOf(back[0]))
	}
	broken := webtest.NewServer(t, &webtest.FakeEngine{Change: func(r *engine.Report) {
		for i := range r.Mechanisms {
			r.Mechanisms[i] = engine.Result{ID: r.Mechanisms[i].ID, Err: webtest.Refused(fault.NotFound, "gone")}
		}
	}})
	if w := webtest.Get(broken, "/gallery"); w.Code != http.StatusOK ||
		strings.Count(w.Body.String(), messages.English.T("look.missing")) != len(items) {
		t.Errorf("without models: %d", w.Code)
	}
}

// TestSmallMapsAreSmall: in the gallery, no map is higher than wide or as thin as a line, whatever its rows and
// columns.
func TestSmallMapsAreSmall(t *testing.T) {
	tab := browsertest.Browse(t, "/gallery?theme=light")
	for _, width := range []int64{1440, 390} {
		tab.Window(width, 900)
		tab.Eventually(`innerWidth === ` + strconv.FormatInt(width, 10) +
			` && document.querySelectorAll('.gallery-picture img').length > 20`)
		if odd := browsertest.Ask[[]string](tab, `[...document.querySelectorAll('.gallery-item')].filter((item) => {
			const b = item.querySelector('img').getBoundingClientRect();
			return b.height > b.width + 1 || b.height < 20;
		}).map((item) => item.id)`); len(odd) > 0 {
			t.Errorf("in a window of %d pixels these are too high or too low: %v", width, odd)
		}
	}
}
