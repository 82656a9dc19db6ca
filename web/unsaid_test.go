package web_test

import (
	"regexp"
	"testing"

	"attnatlas/engine/exhibit"
	"attnatlas/web/webtest"
)

// TestEveryShowHasItsWords: no page shows a message id in place of its text, whatever is shown, pinned, excluded or
// compared.
func TestEveryShowHasItsWords(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{})
	id := regexp.MustCompile(`\b(reading|noun|caption|method|verb|show|filter|fact|sums|unit|head|legend|control|compare|change|second|alt|param|error)(\.[a-z][a-z-]*)+\b`)
	for _, show := range exhibit.Shows() {
		for _, path := range []string{"/?m=dense,fastformer", "/m/dense?", "/compare?a=dense&b=random"} {
			for _, more := range []string{"", "&pin=2", "&pin=2.3", "&sinks=aside&pin=2", "&other=three+two+one", "&draw=arcs"} {
				url := path + "&text=one+two+three&show=" + show.String() + more
				doc := webtest.Parse(t, webtest.Get(s, url))
				for _, one := range append(webtest.All(doc, "main"), webtest.All(doc, "title")...) {
					if found := id.FindString(webtest.TextOf(one)); found != "" {
						t.Errorf("%s says %q", url, found)
					}
				}
			}
		}
	}
}
