package mechanism_test

import (
	"regexp"
	"strings"
	"testing"

	"attnatlas/web/webtest"
)

// TestTextsToWriteOpenWhatTheySpeakOf: the link of an example shows the layer in its explanation,
// its most distinctive head and the maps.
func TestTextsToWriteOpenWhatTheySpeakOf(t *testing.T) {
	layer := regexp.MustCompile(`\b[Ll]ayer (\d)`)
	s := webtest.NewServer(t, &webtest.FakeEngine{})
	doc := webtest.Parse(t, webtest.Get(s, "/m/encoder-decoder?text=cat&layer=1&head=3"))
	named := 0
	for _, link := range webtest.All(webtest.All(doc, "ul#example-list")[0], "a") {
		to, _ := webtest.Attr(link, "href")
		title := webtest.TextOf(webtest.All(link, "span.example-title")[0])
		look := webtest.TextOf(webtest.All(link, "span.example-look")[0])
		q := webtest.QueryOf(t, to)
		wantLayer, wantHead := "1", "3" // as before
		if says := layer.FindStringSubmatch(look); says != nil {
			named++
			wantLayer, wantHead = says[1], ""
		}
		if q.Get("layer") != wantLayer || q.Get("head") != wantHead ||
			!strings.Contains(look, " ") { // otherwise it is an id instead of a sentence
			t.Errorf("%s: %q opens %s", title, look, to)
		}
	}
	if named < 3 {
		t.Errorf("%d texts name a layer", named)
	}
}
