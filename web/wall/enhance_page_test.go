package wall_test

import (
	"testing"
	"time"

	"attnatlas/web/browsertest"
)

// TestEnhancedLinksLeadToMaps: links that a script follows within the page lead to pages with maps, like the present
// one. The browser follows links to pages of another kind.
func TestEnhancedLinksLeadToMaps(t *testing.T) {
	tab := browsertest.OpenFor(t, 4*time.Minute)
	for _, path := range []string{"/?pin=9.9&race=all", "/?m=dense,linformer&show=influence", "/?m=dense&cut=1.2",
		"/m/dense", "/m/gpt2", "/compare"} {
		tab.Visit(browsertest.Server(t).URL + path)
		if got := browsertest.Ask[[]string](tab, `enhanced.withoutMaps()`); len(got) > 0 {
			t.Errorf("links of %s that scripts follow lead to %q", path, got)
		}
	}
}
