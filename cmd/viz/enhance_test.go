package main

import (
	"testing"
	"time"
)

// TestEnhancedLinksLeadToMaps: links that a script follows within the page lead to pages with maps, like the present
// one. The browser follows links to pages of another kind.
func TestEnhancedLinksLeadToMaps(t *testing.T) {
	ctx := tabFor(t, 4*time.Minute)
	for _, path := range []string{"/?pin=9.9&race=all", "/?m=dense,linformer&show=influence", "/?m=dense&cut=1.2",
		"/m/dense", "/m/gpt2", "/compare"} {
		visit(t, ctx, pages(t).URL+path)
		const others = `(async () => {
			const paths = new Map([...document.querySelectorAll('a.enhance')].map((link) => [new URL(link.href).pathname, link.href]));
			const leads = async (href) => new DOMParser().parseFromString(await (await fetch(href)).text(), 'text/html').querySelector('main[data-src]');
			const all = await Promise.all([...paths].map(async ([path, href]) => (await leads(href) ? '' : path)));
			return paths.size ? all.filter(Boolean) : ['no links'];
		})()`
		if got := ask[[]string](t, ctx, others); len(got) > 0 {
			t.Errorf("links of %s that scripts follow lead to %q", path, got)
		}
	}
}
