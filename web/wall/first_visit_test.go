package wall_test

import (
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"
	"testing"

	"attnatlas/web/browsertest"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
)

// traffic counts the files that a tab has fetched.
type traffic struct {
	mu    sync.Mutex
	paths map[network.RequestID]string
	bytes map[network.RequestID]int // as sent, with headers
}

// listen counts what a tab fetches from now on, without the browser's cache.
func listen(t *testing.T, tab *browsertest.Tab) *traffic {
	t.Helper()
	all := &traffic{paths: map[network.RequestID]string{}, bytes: map[network.RequestID]int{}}
	browsertest.Must(t, chromedp.Listen(tab, func(event any) {
		all.mu.Lock()
		defer all.mu.Unlock()
		switch e := event.(type) {
		case *network.EventRequestWillBeSent:
			if strings.HasPrefix(e.Request.URL, "http") {
				all.paths[e.RequestID] = e.Request.URL
			}
		case *network.EventLoadingFinished:
			all.bytes[e.RequestID] = int(e.EncodedDataLength)
		}
	}))
	_, err := chromedp.Call(tab, network.Enable, network.EnableParams{})
	browsertest.Must(t, err)
	_, err = chromedp.Call(tab, network.SetCacheDisabled, network.SetCacheDisabledParams{CacheDisabled: true})
	browsertest.Must(t, err)
	return all
}

// TestFirstVisitIsLight: the first view of four cards needs few requests and little data, and loads the shared
// scripts and styles once.
func TestFirstVisitIsLight(t *testing.T) {
	tab := browsertest.Open(t)
	all := listen(t, tab)
	tab.Visit(browsertest.Server(t).URL + "/")
	tab.Eventually(`document.querySelectorAll('.card').length === 4 && document.documentElement.dataset.ready === 'true'`)
	tab.Settled()
	paint := browsertest.Ask[float64](tab, `performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? -1`)
	all.mu.Lock()
	defer all.mu.Unlock()
	sum, scripts := 0, 0
	for id, path := range all.paths {
		sum += all.bytes[id]
		if strings.HasSuffix(path, ".js") || strings.HasSuffix(path, ".css") {
			scripts++
		}
		t.Logf("%7d %s", all.bytes[id], path)
	}
	t.Logf("%d requests, %d bytes, first contentful paint after %.0f ms", len(all.paths), sum, paint)
	if len(all.paths) > 60 || len(all.paths) < 5 || sum > 330_000 || sum < 100_000 {
		t.Errorf("a first visit is %d requests and %d bytes; at most 60 and 330000 are wanted", len(all.paths), sum)
	}
	if scripts != 3 {
		t.Errorf("%d scripts and style sheets; one module and two style sheets are wanted", scripts)
	}
	_, err := chromedp.Call(tab, network.SetCacheDisabled, network.SetCacheDisabledParams{})
	browsertest.Must(t, err)
	_, err = chromedp.Call(tab, network.Disable, cdp.Empty{})
	browsertest.Must(t, err)
}

// TestButtonWhereScriptsFail: the button that submits the text appears if the scripts of the page do not arrive.
func TestButtonWhereScriptsFail(t *testing.T) {
	to, err := url.Parse(browsertest.Server(t).URL)
	browsertest.Must(t, err)
	proxy := httputil.NewSingleHostReverseProxy(to)
	lossy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, ".js") {
			http.NotFound(w, r)
			return
		}
		proxy.ServeHTTP(w, r)
	}))
	defer lossy.Close()
	tab := browsertest.Open(t)
	tab.Do(chromedp.Navigate(lossy.URL + "/"))
	tab.Eventually(`document.querySelector('.controls .render')?.checkVisibility()`)
	tab.Visit(browsertest.Server(t).URL + "/")
	tab.Eventually(`!document.querySelector('.controls .render').checkVisibility()`)
}
