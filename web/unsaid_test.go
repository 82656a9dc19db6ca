package web

import (
	"regexp"
	"testing"

	"attnatlas/engine/exhibit"
)

// TestEveryShowHasItsWords: whatever is shown, pinned, set aside or compared, no page has the id of
// a text in the place of the text.
func TestEveryShowHasItsWords(t *testing.T) {
	s := newServer(t, &fakeEngine{})
	id := regexp.MustCompile(`\b(reading|noun|caption|method|verb|show|filter|fact|sums|unit|head|legend|control|compare|change|second|alt|param|error)(\.[a-z][a-z-]*)+\b`)
	for _, show := range exhibit.Shows() {
		for _, path := range []string{"/?m=dense,fastformer", "/m/dense?", "/compare?a=dense&b=random"} {
			for _, more := range []string{"", "&pin=2", "&pin=2.3", "&sinks=aside&pin=2", "&other=three+two+one", "&draw=arcs"} {
				url := path + "&text=one+two+three&show=" + show.String() + more
				doc := parse(t, get(s, url))
				for _, one := range append(all(doc, "main"), all(doc, "title")...) {
					if found := id.FindString(textOf(one)); found != "" {
						t.Errorf("%s says %q", url, found)
					}
				}
			}
		}
	}
}
