package main

import (
	"bytes"
	"context"
	"fmt"
	"html"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"attnatlas/static"
)

// replica starts viz serve in its own process, and returns its address.
func replica(t *testing.T, flags ...string) (string, *program) {
	t.Helper()
	p := start(t, "viz", append([]string{"serve", "--addr", "127.0.0.1:0", "--shared-cache", "1h"}, flags...)...)
	p.waits(t, "Ctrl-C")
	return regexp.MustCompile(`http://([^/]+)/`).FindStringSubmatch(p.said.String())[1], p
}

// asking requests a path of a server as a client of localhost, without following redirects. A server is an address or
// a socket.
func asking(t *testing.T, server, path string) (*http.Response, []byte) {
	t.Helper()
	r, err := http.NewRequest(http.MethodGet, "http://localhost"+path, nil)
	must(t, err)
	return sending(t, server, r)
}

// sending sends a request to a server.
func sending(t *testing.T, server string, r *http.Request) (*http.Response, []byte) {
	t.Helper()
	network := "tcp"
	if filepath.IsAbs(server) {
		network = "unix"
	}
	asks := http.Transport{DisableKeepAlives: true, DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, network, server)
	}}
	answer, err := asks.RoundTrip(r)
	must(t, err)
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	must(t, err)
	return answer, body
}

// sameEverywhere returns addresses of every kind of answer.
func sameEverywhere() []string {
	const query = "?text=the+old+cat&layer=2&head=2"
	all := []string{
		"/" + query, "/m", "/m/dense" + query, "/compare" + query, "/gallery", "/results", "/about", "/embed" + query,
		"/attention-map.js", static.URL("js/main.js"),
		"/api/v1/attend" + query, "/api/v1/drawing" + query, "/api/v1/compare" + query,
		"/api/v1/race?text=the+old+cat&hide=cat", "/api/v1/mechanisms", "/api/v1/openapi.json",
		"/wall.json" + query, "/oembed?url=http%3A%2F%2Flocalhost%2F", "/?text=the+old+cat&hide=2", "/nowhere",
	}
	for _, format := range []string{"png", "svg", "pdf", "csv", "npy", "json"} {
		all = append(all, "/export/dense."+format+query, "/export/fastformer."+format+query)
	}
	return all
}

// TestReplicas: two processes that started at different times answer every address with the same bytes.
func TestReplicas(t *testing.T) {
	one, _ := replica(t)
	time.Sleep(1100 * time.Millisecond) // times in files have a precision of a second
	two, _ := replica(t)
	for _, path := range sameEverywhere() {
		a, body := asking(t, one, path)
		b, other := asking(t, two, path)
		if a.StatusCode != b.StatusCode || !bytes.Equal(body, other) {
			t.Errorf("%s: %d with %d bytes, %d with %d others", path, a.StatusCode, len(body), b.StatusCode, len(other))
		}
		for _, key := range []string{"ETag", "Cache-Control", "Content-Type", "Location", "Vary"} {
			if a.Header.Get(key) != b.Header.Get(key) {
				t.Errorf("%s: %s is %q and %q", path, key, a.Header.Get(key), b.Header.Get(key))
			}
		}
		if a.Header.Get("Last-Modified") != "" {
			t.Errorf("%s was modified when its server began", path)
		}
	}
}

// TestReplicasNameThemselves: the files that a page loads may be cached for ever. The other process names the same
// build in their addresses, and a process with other models names another build.
func TestReplicasNameThemselves(t *testing.T) {
	loads := regexp.MustCompile(`img src="\./(export/dense\.png[^"]*v=([\w-]{12}))"`)
	one, _ := replica(t)
	two, _ := replica(t)
	_, page := asking(t, one, "/?text=the+old+cat")
	found := loads.FindStringSubmatch(string(page))
	if found == nil {
		t.Fatalf("the page loads no picture with a name: %.2000s", page)
	}
	picture := "/" + html.UnescapeString(found[1])
	for _, server := range []string{one, two} {
		if answer, body := asking(t, server, picture); answer.StatusCode != http.StatusOK || len(body) == 0 ||
			answer.Header.Get("Cache-Control") != "public, max-age=31536000, immutable" {
			t.Errorf("%s: %d, %s", picture, answer.StatusCode, answer.Header.Get("Cache-Control"))
		}
	}
	folder := t.TempDir()
	empty, err := weights{Weights: folder}.build()
	must(t, err)
	must(t, os.WriteFile(filepath.Join(folder, "dense.safetensors"), []byte("one"), 0o600))
	own, err := weights{Weights: folder}.build()
	must(t, err)
	must(t, os.WriteFile(filepath.Join(folder, "dense.safetensors"), []byte("two"), 0o600))
	if other, err := (weights{Weights: folder}).build(); err != nil || own == empty || other == own {
		t.Errorf("%v: without files %s, then %s and %s", err, empty, own, other)
	}
}

// cacheInFront starts nginx with the configuration of deploy/cache in front of two servers, and returns its socket.
func cacheInFront(t *testing.T, one, two string) (front string) {
	t.Helper()
	config, err := os.ReadFile("../../deploy/cache/nginx.conf")
	must(t, err)
	folder := t.TempDir()
	listen := "listen unix:" + filepath.Join(folder,
		"front") // a socket of its own, because a free port could be taken before nginx listens
	return nginx(t, folder, strings.NewReplacer("viz1:8080", one, "viz2:8080", two, "listen 8080", listen, "/tmp/", folder+
		"/").Replace(string(config)))
}

// TestCacheInFront: the cache of deploy/cache answers stored addresses, does not store private ones, and asks another
// server when one is gone.
func TestCacheInFront(t *testing.T) {
	one, first := replica(t)
	two, _ := replica(t)
	front := cacheInFront(t, one, two)
	for _, path := range []string{"/m/dense?text=the+old+cat", "/export/dense.png?text=the+old+cat",
		"/api/v1/attend?text=the+old+cat&m=dense", static.URL("js/main.js")} {
		a, body := asking(t, front, path)
		b, again := asking(t, front, path)
		_, direct := asking(t, two, path)
		if a.Header.Get("X-Cache") != "MISS" || b.Header.Get("X-Cache") != "HIT" || !bytes.Equal(body, again) ||
			!bytes.Equal(body, direct) {
			t.Errorf("%s: %s, then %s", path, a.Header.Get("X-Cache"), b.Header.Get("X-Cache"))
		}
	}
	for _, path := range []string{"/nowhere", "/healthz", "/export/dense.png?layer=99"} {
		asking(t, front, path)
		if again, _ := asking(t, front, path); again.Header.Get("X-Cache") != "MISS" {
			t.Errorf("%s is kept: %s", path, again.Header.Get("X-Cache"))
		}
	}
	must(t, first.Process.Kill())
	for _, path := range []string{"/about", "/results", "/gallery"} {
		if answer, _ := asking(t, front, path); answer.StatusCode != http.StatusOK {
			t.Errorf("with one server gone, %s: %d", path, answer.StatusCode)
		}
	}
}

// TestNobodyPoisonsTheCache: after any first request of a browser, a script or a program, the next visitor gets the
// page of a server without a cache, and each origin may read the same answers as without.
func TestNobodyPoisonsTheCache(t *testing.T) {
	const a, b = "https://a.example", "https://b.example"
	one, _ := replica(t, "--cors", a+","+b)
	two, _ := replica(t, "--cors", a+","+b)
	front := cacheInFront(t, one, two)
	values := map[string][]string{
		"Atlas-Open": {"", "x", "more-reformer"}, "Atlas-Only": {"maps", "race"}, "Atlas-Has": {"x"},
		"Origin":          {a, b, "https://evil.example", "null"},
		"Accept":          {"application/json", "text/html", "image/png", "x/y"},
		"Accept-Encoding": {"gzip", "br", "identity", "gzip;q=0"}, "Accept-Language": {"zh"},
		"Prefer": {"wait=0", "wait=1"}, "Range": {"bytes=0-9"}, "If-None-Match": {"*", `W/"x"`},
		"If-Modified-Since": {"Sat, 01 Jan 2050 00:00:00 GMT"}, "If-Match": {`"x"`},
		"If-Unmodified-Since": {"Sat, 01 Jan 2000 00:00:00 GMT"}, "If-Range": {`"x"`},
		"Cache-Control": {"no-cache", "max-age=0", "only-if-cached"}, "Cookie": {"a=b"},
		"Sec-Fetch-Site": {"cross-site", "same-site", "same-origin", "none"},
		"Sec-Fetch-Dest": {"image", "iframe", "empty", "document"}, "Sec-Fetch-Mode": {"cors", "navigate", "no-cors"},
		"X-Forwarded-Host": {"evil.example"}, "Forwarded": {"host=evil.example;proto=https"}, "X-Forwarded-Proto": {"https"},
		"X-Forwarded-For": {"1.2.3.4"}, "X-Forwarded-Prefix": {"/evil"},
		"X-Original-URL": {"/about"}, "X-Rewrite-URL": {"/about"}, "X-HTTP-Method-Override": {"POST"},
		"Host": {"evil.example", "127.0.0.1"}, "User-Agent": {"x"}, "Referer": {"https://evil.example/"},
		"Upgrade": {"h2c"}, "TE": {"trailers"}, "Authorization": {"Basic eDp4"}, "Content-Type": {"application/json"},
		"Save-Data": {"on"}, "DNT": {"1"}, "Early-Data": {"1"},
	}
	methods := []string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodOptions, "PURGE"}
	round := 0
	poison := func(path, method, name, value string) {
		round++
		path = fmt.Sprintf(path, round)
		r, err := http.NewRequest(method, "http://localhost"+path, nil)
		must(t, err)
		if r.Header.Set(name, value); name == "Host" {
			r.Host = value
		}
		sending(t, front, r)
		got, body := asking(t, front, path)
		want, direct := asking(t, one, path)
		if strings.HasPrefix(path, "/cost") { // measurements change, and are never stored
			if got.Header.Get("X-Cache") != "MISS" || got.Header.Get("Cache-Control") != "no-store" ||
				want.Header.Get("Cache-Control") != "no-store" {
				t.Errorf("%s %s with %s: %s: the page is kept: %s, %s", method, path, name, value, got.Header.Get("X-Cache"),
					got.Header.Get("Cache-Control"))
			}
			body = direct
		}
		if got.StatusCode != want.StatusCode || !bytes.Equal(body, direct) ||
			got.Header.Get("Content-Type") != want.Header.Get("Content-Type") {
			t.Errorf("%s %s with %s: %s: the next visitor gets %d, %d bytes (%s), instead of %d, %d bytes", method, path,
				name, value,
				got.StatusCode, len(body), got.Header.Get("X-Cache"), want.StatusCode, len(direct))
		}
		if !strings.HasPrefix(path, "/api/") {
			return
		}
		for _, origin := range []string{a, b} {
			r.Method, r.Header, r.Host = http.MethodGet, http.Header{"Origin": {origin}}, "localhost"
			if answer, _ := sending(t, front, r); answer.Header.Get("Access-Control-Allow-Origin") != origin {
				t.Errorf("%s after %s: %s: %s may not read it, but %q", path, name, value, origin,
					answer.Header.Get("Access-Control-Allow-Origin"))
			}
		}
	}
	_, list := asking(t, one, "/sitemap.xml")
	for _, page := range regexp.MustCompile(`<loc>http://localhost(/[^<]*)</loc>`).FindAllStringSubmatch(string(list), -1) {
		if strings.HasPrefix(page[1], "/m/") && page[1] != "/m/dense" || strings.HasPrefix(page[1], "/take/") &&
			page[1] != "/take/wall" {
			continue // these are equal
		}
		for name, value := range map[string]string{"Atlas-Open": "x", "Atlas-Only": "maps", "Atlas-Has": "x"} {
			poison(strings.ReplaceAll(page[1], "%", "%%")+"?text=cat+%d", http.MethodGet, name, value)
		}
	}
	if round < 60 {
		t.Errorf("%d pages were tried: the map of the site is %.300s", round/3, list)
	}
	for name, all := range values {
		for _, value := range all {
			poison("/?m=dense&text=cat+%d", http.MethodGet, name, value)
			poison("/api/v1/attend?m=dense&text=cat+%d", http.MethodGet, name, value)
		}
	}
	for _, method := range methods {
		poison("/?m=dense&text=cat+%d", method, "Atlas-Only", "maps")
		poison("/cost?text=cat+%d&measure=now", method, "Origin", "http://localhost")
	}
}
