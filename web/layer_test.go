package web

import (
	"strings"
	"testing"
)

// TestLinksForgetALayerThatIsNot: pages without maps carry a layer along that some model of the wall has, and
// a list links no mechanism with one that its model does not have.
func TestLinksForgetALayerThatIsNot(t *testing.T) {
	s := newServer(t, &fakeEngine{})
	for _, path := range []string{"/m", "/gallery", "/results", "/about"} {
		for query, carried := range map[string]bool{"layer=2": true, "layer=9": false} {
			found := false
			for _, link := range linksOf(parse(t, get(s, path+"?"+query))) {
				found = found || strings.Contains(link, query)
			}
			if found != carried {
				t.Errorf("%s?%s is carried along: %v", path, query, found)
			}
		}
	}
}
