package site_test

import (
	"context"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"attnatlas/static"
	"attnatlas/web/site"
	"attnatlas/web/webtest"

	"golang.org/x/net/html"
)

// behind returns a proxy that shows a server's pages under a prefix, and nothing at other paths.
func behind(t *testing.T, s *site.Server, strips bool) *httptest.Server {
	t.Helper()
	inner := httptest.NewServer(s)
	t.Cleanup(inner.Close)
	target, err := url.Parse(inner.URL)
	if err != nil {
		t.Fatal(err)
	}
	var handler http.Handler = &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(target) }}
	if strips {
		handler = http.StripPrefix(webtest.Prefix, handler)
	}
	mux := http.NewServeMux()
	mux.Handle(webtest.Prefix+"/", handler)
	outer := httptest.NewServer(mux)
	t.Cleanup(outer.Close)
	return outer
}

// followed returns the addresses in a page, resolved as by a browser.
func followed(t *testing.T, at *url.URL, body io.Reader) []string {
	t.Helper()
	root, err := html.Parse(body)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	for n := range root.Descendants() {
		for _, a := range n.Attr {
			if webtest.InDirectory(n) && a.Key == "href" && !strings.HasPrefix(a.Val, "/") { // the directory's test follows it
				if to, err := at.Parse(a.Val); err != nil || !strings.HasPrefix(to.Path, webtest.Prefix+"/") {
					t.Errorf("%s: %q leaves the prefix, %v", at, a.Val, err)
				}
				continue
			}
			if strings.HasPrefix(a.Val, "/") && a.Key != "value" && a.Key != "content" {
				t.Errorf("%s: <%s %s=%q> is bound to the root", at, n.Data, a.Key, a.Val)
			}
			if !slices.Contains([]string{"href", "src", "srcset", "action", "data-src", "data-permalink"}, a.Key) ||
				strings.HasPrefix(a.Val, "#") {
				continue
			}
			to, err := at.Parse(a.Val)
			if err != nil {
				t.Errorf("%s: %q: %v", at, a.Val, err)
			} else if to.Host == at.Host {
				found[to.String()] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// TestPagesUnderAPrefix follows every address of pages at all depths, also of errors: behind a proxy that removes the
// prefix for a server that does not know it, and behind one that keeps it.
func TestPagesUnderAPrefix(t *testing.T) {
	for name, proxy := range map[string]*httptest.Server{
		"taken away":            behind(t, webtest.Based(t, "", site.Access{}), true),
		"left":                  behind(t, webtest.Based(t, webtest.Prefix, site.Access{}), false),
		"known, and taken away": behind(t, webtest.Based(t, webtest.Prefix, site.Access{}), true),
	} {
		for path, status := range map[string]int{
			"/?text=old+cat&m=dense": 200, "/m": 200, "/m/dense?text=old+cat": 200, "/compare?text=old+cat": 200, "/about": 200,
			"/nowhere/at/all": 404, "/m/den%2Fse": 404,
		} {
			at, err := url.Parse(proxy.URL + webtest.Prefix + path)
			if err != nil {
				t.Fatal(err)
			}
			got, page := fetched(t, at.String())
			if got != status {
				t.Fatalf("%s: %s: %d", name, at, got)
			}
			links := followed(t, at, strings.NewReader(page))
			if !slices.ContainsFunc(links, func(link string) bool {
				return strings.Contains(link,
					webtest.Prefix+static.Root)
			}) {
				t.Errorf("%s: %s loads no style sheet: %v", name, path, links)
			}
			for _, link := range links {
				if strings.Contains(link, "/m/") && !strings.Contains(link, "/m/dense") || strings.Contains(link, "example=") {
					continue // one page of each kind is enough
				}
				if got, _ := fetched(t, link); got != http.StatusOK {
					t.Errorf("%s: %s leads to %s: %d", name, path, link, got)
				}
			}
		}
	}
}

func fetched(t *testing.T, address string) (status int, body string) {
	t.Helper()
	r, err := http.NewRequest(http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Accept", "text/html")
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	all, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, string(all)
}

// TestRedirectsUnderAPrefix: redirects stay under the prefix.
func TestRedirectsUnderAPrefix(t *testing.T) {
	for base, strips := range map[string]bool{"": true, webtest.Prefix: false} {
		proxy := behind(t, webtest.Based(t, base, site.Access{}), strips)
		for path, want := range map[string]string{"/?text=old+cat&hide=2": "/", "/m/bert?text=old+cat&hide=2": "/m/bert",
			"/compare?text=old+cat&hide=2": "/compare"} {
			answer, err := http.Get(proxy.URL + webtest.Prefix + path)
			if err != nil {
				t.Fatal(err)
			}
			answer.Body.Close()
			if to := answer.Request.URL; answer.StatusCode != 200 || to.Path != webtest.Prefix+want ||
				!strings.Contains(to.RawQuery, "MASK") {
				t.Errorf("%s: %d at %s", path, answer.StatusCode, to)
			}
		}
	}
	w := webtest.Get(webtest.Based(t, "/user/ada/atlas", site.Access{}), "/user/ada/atlas?text=a%26b")
	if w.Code != http.StatusPermanentRedirect || w.Header().Get("Location") != "atlas/?text=a%26b" {
		t.Errorf("without the slash: %d, %v", w.Code, w.Header())
	}
}

func TestBasePaths(t *testing.T) {
	for base, right := range map[string]bool{
		"": true, "/atlas": true, "/user/ada/atlas": true, "atlas": false, "//host": false, "/a//b": false, "/a/../b": false,
		"/a?b": false, "/a#b": false, "https://example.org/a": false, "/a%": false,
	} {
		if err := site.CheckBase(base); (err == nil) != right {
			t.Errorf("%q: %v", base, err)
		}
	}
}

// TestSocket: at a socket that only its owner can open, the server accepts every host name, and the last proxy names
// the client.
func TestSocket(t *testing.T) {
	file := filepath.Join(t.TempDir(), "atlas.sock")
	l, err := net.Listen("unix", file)
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: webtest.Based(t, "", site.Access{Private: true, PerSecond: 0.001, Burst: 1})}
	go server.Serve(l)
	defer server.Close()
	client := &http.Client{Transport: &http.Transport{DialContext: func(ctx context.Context, _,
		_ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "unix", file)
	}}}
	for _, c := range []struct {
		from string
		want int
	}{{"192.0.2.1", 200}, {"192.0.2.2", 200}, {"192.0.2.1", 429}} {
		r, _ := http.NewRequest(http.MethodGet, "http://hub.example.org/about", nil)
		r.Header.Set("X-Forwarded-For", c.from)
		answer, err := client.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if answer.StatusCode != c.want {
			t.Errorf("%s: %d, not %d", c.from, answer.StatusCode, c.want)
		}
	}
}

// TestFramingByOurOwnOrigin: pages of the same origin may frame ours if the option allows it, and pages of other
// origins may not.
func TestFramingByOurOwnOrigin(t *testing.T) {
	for want, access := range map[string]site.Access{
		"frame-ancestors 'none'": {}, "frame-ancestors 'self'": {Framed: true},
		"frame-ancestors 'self' https://example.org": {Framed: true, Frames: []string{"https://example.org"}},
	} {
		if got := webtest.Get(webtest.Based(t, "", access),
			"/about").Header().Get("Content-Security-Policy"); !strings.HasSuffix(got, want) {
			t.Errorf("%+v: %q", access, got)
		}
	}
	if w := webtest.Get(webtest.Based(t, "", site.Access{Framed: true}), "/about", "Sec-Fetch-Site", "cross-site",
		"Sec-Fetch-Dest", "iframe", "Sec-Fetch-Mode", "navigate"); w.Code != 403 {
		t.Errorf("another site's frame: %d", w.Code)
	}
}
