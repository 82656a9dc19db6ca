package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// prefixed serves the pages under /atlas/, removes this prefix, and serves nothing elsewhere.
func prefixed(t *testing.T) *httptest.Server {
	t.Helper()
	target, err := url.Parse(pages(t).URL)
	must(t, err)
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
	ctx := tab(t)
	base := prefixed(t).URL + "/atlas"
	drawn := `[...document.querySelectorAll('.map')].length > 0 && [...document.querySelectorAll('.map')].every((m) => m.querySelector('canvas'))`
	visit(t, ctx, base+"/?text=the+old+cat&m=dense,random")
	eventually(t, ctx, drawn)
	if got := ask[[]string](t, ctx, `performance.getEntriesByType('resource').map((e) => new URL(e.name)).filter((u) => !u.pathname.startsWith('/atlas/') && u.protocol !== 'data:').map(String)`); len(got) > 0 {
		t.Errorf("asked outside of the prefix: %v", got)
	}
	x, y := centre(t, ctx, "dense", 1, 2)
	must(t, chromedp.Do(ctx, chromedp.MouseClickXY(x, y)))
	eventually(t, ctx, `location.pathname === '/atlas/' && location.search.includes('pin=2.3')`)
	ask[bool](t, ctx, `(() => { const b = document.getElementById('c-text'); b.value = 'a new text'; b.dispatchEvent(new Event('input', { bubbles: true })); return true; })()`)
	eventually(t, ctx, `location.pathname === '/atlas/' && location.search.includes('a+new+text')
		&& [...document.querySelectorAll('.token')].some((c) => c.textContent === 'new')`)
	eventually(t, ctx, drawn)
	ask[bool](t, ctx, `(() => { const s = document.getElementById('c-cmap'); s.value = 'magma'; s.dispatchEvent(new Event('change', { bubbles: true })); return true; })()`)
	eventually(t, ctx, `location.search.includes('cmap=magma')`)
	links := ask[[]string](t, ctx, `[document.querySelector('.card a.export').href, document.querySelector('.card h2 a').href, document.querySelector('.masthead nav a:nth-child(2)').href]`)
	for _, link := range links {
		if !strings.HasPrefix(link, base+"/") || !strings.Contains(link, "cmap=magma") {
			t.Errorf("a link leads to %s", link)
		}
		if status, _ := fetch(t, link); status != 200 {
			t.Errorf("%s: %d", link, status)
		}
	}
	ask[bool](t, ctx, `history.back() || true`)
	eventually(t, ctx, `location.pathname === '/atlas/' && !location.search.includes('magma')`)
	visit(t, ctx, links[1])
	eventually(t, ctx, drawn)
	before := ask[string](t, ctx, `location.search`)
	ask[bool](t, ctx, `document.querySelector('.thumb:not([aria-current=true])').click() || true`)
	eventually(t, ctx, fmt.Sprintf(`location.pathname === '/atlas/m/dense' && location.search !== %q
		&& document.documentElement.dataset.ready === 'true' && `, before)+drawn)
	if got := ask[string](t, ctx, `getComputedStyle(document.body).fontFamily`); !strings.Contains(got, "Inter") {
		t.Errorf("without style sheets: %s", got)
	}
}
