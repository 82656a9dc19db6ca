package wall_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"testing"

	"attnatlas/web/browsertest"

	"github.com/chromedp/chromedp"
)

// prefixed serves the pages under /atlas/, removes this prefix, and serves nothing elsewhere.
func prefixed(t *testing.T) *httptest.Server {
	t.Helper()
	target, err := url.Parse(browsertest.Server(t).URL)
	browsertest.Must(t, err)
	mux := http.NewServeMux()
	mux.Handle("/atlas/", http.StripPrefix("/atlas",
		&httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(target) }}))
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server
}

// TestPagesUnderAPrefix: scripts, drawings, typing, hovering, controls, links and Back work under a prefix that the
// server does not know.
func TestPagesUnderAPrefix(t *testing.T) {
	tab := browsertest.Open(t)
	base := prefixed(t).URL + "/atlas"
	drawn := `[...document.querySelectorAll('.map')].length > 0 && [...document.querySelectorAll('.map')].every((m) => m.querySelector('canvas'))`
	tab.Visit(base + "/?text=the+old+cat&m=dense,random")
	tab.Eventually(drawn)
	if got := browsertest.Ask[[]string](tab, `performance.getEntriesByType('resource').map((e) => new URL(e.name)).filter((u) => !u.pathname.startsWith('/atlas/') && u.protocol !== 'data:').map(String)`); len(got) > 0 {
		t.Errorf("asked outside of the prefix: %v", got)
	}
	x, y := tab.Cell("dense", 1, 2)
	tab.Do(chromedp.MouseClickXY(x, y))
	tab.Eventually(`location.pathname === '/atlas/' && location.search.includes('pin=2.3')`)
	tab.Slide("c-text", "a new text")
	tab.Eventually(`location.pathname === '/atlas/' && location.search.includes('a+new+text')
		&& [...document.querySelectorAll('.token')].some((c) => c.textContent === 'new')`)
	tab.Eventually(drawn)
	tab.Choose("c-cmap", "magma")
	tab.Eventually(`location.search.includes('cmap=magma')`)
	links := browsertest.Ask[[]string](tab, `[document.querySelector('.card a.export').href, document.querySelector('.card h2 a').href, document.querySelector('.masthead nav a:nth-child(2)').href]`)
	for _, link := range links {
		if !strings.HasPrefix(link, base+"/") || !strings.Contains(link, "cmap=magma") {
			t.Errorf("a link leads to %s", link)
		}
		if status, _ := browsertest.Fetch(t, link); status != 200 {
			t.Errorf("%s: %d", link, status)
		}
	}
	tab.Back(1)
	tab.Eventually(`location.pathname === '/atlas/' && !location.search.includes('magma')`)
	tab.Visit(links[1])
	tab.Eventually(drawn)
	before := browsertest.Ask[string](tab, `location.search`)
	tab.Trigger(".thumb:not([aria-current=true])")
	tab.Eventually(fmt.Sprintf(`location.pathname === '/atlas/m/dense' && location.search !== %q
		&& document.documentElement.dataset.ready === 'true' && `, before) + drawn)
	if got := browsertest.Ask[string](tab, `getComputedStyle(document.body).fontFamily`); !strings.Contains(got, "Inter") {
		t.Errorf("without style sheets: %s", got)
	}
}
