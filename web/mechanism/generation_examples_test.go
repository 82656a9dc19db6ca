package mechanism_test

import (
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"attnatlas/web/mechanism"
	"attnatlas/web/wall"
	"attnatlas/web/webtest"
)

// TestTextsToWriteOpenWhatTheySpeakOf: the link of an example shows the layer in its explanation,
// its most distinctive head and the maps.
func TestTextsToWriteOpenWhatTheySpeakOf(t *testing.T) {
	layer := regexp.MustCompile(`\b[Ll]ayer (\d)`)
	s := webtest.NewServer(t, &webtest.FakeEngine{})
	p, _ := wall.New(s).ReadPage(httptest.NewRequest("GET", "/m/encoder-decoder?text=cat&layer=1&head=3", nil),
		s.Find("encoder-decoder"))
	named := 0
	for _, e := range mechanism.GenerationExamples(p) {
		q := webtest.QueryOf(t, e.URL)
		wantLayer, wantHead := "1", "3" // as before
		if says := layer.FindStringSubmatch(e.Look); says != nil {
			named++
			wantLayer, wantHead = says[1], ""
		}
		if q.Get("layer") != wantLayer || q.Get("head") != wantHead ||
			!strings.Contains(e.Look, " ") { // otherwise it is an id instead of a sentence
			t.Errorf("%s: %q opens %s", e.Title, e.Look, e.URL)
		}
	}
	if named < 3 {
		t.Errorf("%d texts name a layer", named)
	}
}
