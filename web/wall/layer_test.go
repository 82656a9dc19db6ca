package wall_test

import (
	"strings"
	"testing"

	"attnatlas/web/webtest"
)

// TestLinksForgetALayerThatIsNot: pages without maps carry on a layer that some model of the wall has. A list
// links no mechanism with a layer that its model does not have.
func TestLinksForgetALayerThatIsNot(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{})
	for _, path := range []string{"/m", "/gallery", "/results", "/about"} {
		for query, carried := range map[string]bool{"layer=2": true, "layer=9": false} {
			found := false
			for _, link := range webtest.LinksOf(webtest.Parse(t, webtest.Get(s, path+"?"+query))) {
				found = found || strings.Contains(link, query)
			}
			if found != carried {
				t.Errorf("%s?%s is carried along: %v", path, query, found)
			}
		}
	}
}
