package web

import (
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"attnatlas/components"
)

// TestExamplesOpenWhatTheySpeakOf: an example's link shows the layer that its sentence names,
// the mean of the heads and the maps; one that names none keeps what the visitor chose. No
// sentence names a head, since which one does something is another in every training.
func TestExamplesOpenWhatTheySpeakOf(t *testing.T) {
	layer, head := regexp.MustCompile(`\b[Ll]ayer (\d)`), regexp.MustCompile(`\b[Hh]ead \d`)
	s := newServer(t, &fakeEngine{})
	for name, c := range map[string]struct {
		at, show string
		list     func(*page) []components.Example
	}{
		"wall":       {"/?m=dense&text=cat&layer=1&head=3&show=influence", "influence", (*page).examples},
		"generation": {"/m/encoder-decoder?text=cat&layer=1&head=3", "", (*page).generationExamples},
	} {
		named := 0
		at := s.find("encoder-decoder")
		if name == "wall" {
			at = nil
		}
		p, _ := s.readPage(httptest.NewRequest("GET", c.at, nil), at)
		for _, e := range c.list(p) {
			there, err := url.Parse(e.URL)
			if err != nil {
				t.Fatal(err)
			}
			q := there.Query()
			wantLayer, wantHead, wantShow := "1", "3", c.show // as before
			if says := layer.FindStringSubmatch(e.Look); says != nil {
				named++
				wantLayer, wantHead, wantShow = says[1], "", ""
			}
			if q.Get("layer") != wantLayer || q.Get("head") != wantHead || q.Get("show") != wantShow {
				t.Errorf("%s: %q opens %s", e.Title, e.Look, e.URL)
			}
			if head.MatchString(e.Look) || !strings.Contains(e.Look, " ") { // or it is no sentence but an id
				t.Errorf("%s: %q", e.Title, e.Look)
			}
		}
		if named < 3 {
			t.Errorf("%s: %d examples name a layer", name, named)
		}
	}
}
