package site_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"attnatlas/static"
	"attnatlas/web/webtest"

	"github.com/andybalholm/brotli"
)

var keepable = []string{"/?text=hello", "/m/encoder-decoder", "/about", "/results", "/api/v1/results",
	"/api/v1/mechanisms", "/api/v1/attend?text=hello", "/export/dense.png?text=hello", "/api/v1/openapi.json"}

func TestConditionalGet(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{})
	for _, path := range keepable {
		w := webtest.Get(s, path)
		tag := w.Header().Get("ETag")
		if w.Code != http.StatusOK || tag == "" || w.Header().Get("Cache-Control") != "no-cache" {
			t.Fatalf("%s: %d %v", path, w.Code, w.Header())
		}
		for _, header := range []string{tag, strings.TrimPrefix(tag, "W/"), `"other", ` + tag, "*"} {
			again := webtest.Get(s, path, "If-None-Match", header)
			if again.Code != http.StatusNotModified || again.Body.Len() != 0 || again.Header().Get("ETag") != tag {
				t.Errorf("%s If-None-Match %s: %d, %d bytes", path, header, again.Code, again.Body.Len())
			}
		}
		if other := webtest.Get(s, path, "If-None-Match", `"other"`); other.Code != http.StatusOK ||
			!bytes.Equal(other.Body.Bytes(), w.Body.Bytes()) {
			t.Errorf("%s with another tag: %d", path, other.Code)
		}
	}
}

// TestSameURLSameBytes: a URL has the same bytes, also on another server without anything in memory.
func TestSameURLSameBytes(t *testing.T) {
	one, two := webtest.NewServer(t, &webtest.FakeEngine{}), webtest.NewServer(t, &webtest.FakeEngine{})
	for _, path := range keepable {
		if a, b := webtest.Get(one, path), webtest.Get(two, path); !bytes.Equal(a.Body.Bytes(), b.Body.Bytes()) ||
			a.Header().Get("ETag") != b.Header().Get("ETag") {
			t.Errorf("%s differs between two servers", path)
		}
	}
}

func TestErrorsAreNotKept(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{})
	for _, path := range []string{"/?text=", "/?layer=99", "/nowhere", "/api/v1/attend?text=", "/export/nonsense.png"} {
		w := webtest.Get(s, path)
		if w.Header().Get("ETag") != "" || w.Header().Get("Cache-Control") != "no-store" {
			t.Errorf("%s: %v", path, w.Header())
		}
		if again := webtest.Get(s, path, "If-None-Match", "*"); again.Code != w.Code {
			t.Errorf("%s: %d, then %d", path, w.Code, again.Code)
		}
	}
}

// TestCompression: compressed answers have the content and the entity tag of uncompressed ones. Vary tells proxies of
// the different forms, also in uncompressed answers.
func TestCompression(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{})
	for _, path := range append([]string{static.URL("js/main.js")}, keepable...) {
		plain := webtest.Get(s, path, "Accept-Encoding", "identity")
		if strings.Contains(path, ".png") || plain.Body.Len() < 1<<10 { // small answers stay as they are
			continue // too small to be compressed
		}
		for accept, want := range map[string]string{
			"gzip, br": "br", "gzip": "gzip", "gzip;q=0": "", "gzip;q=0, br;q=0": "", "br;q=0, gzip;q=0.5": "gzip",
			"identity": "", "*": "br", "": "",
		} {
			w := webtest.Get(s, path, "Accept-Encoding", accept)
			if got := w.Header().Get("Content-Encoding"); got != want ||
				!strings.Contains(w.Header().Get("Vary"), "Accept-Encoding") {
				t.Errorf("%s for %q: %q, %v", path, accept, got, w.Header())
				continue
			}
			if body := unpacked(t, w); !bytes.Equal(body, plain.Body.Bytes()) ||
				w.Header().Get("ETag") != plain.Header().Get("ETag") {
				t.Errorf("%s for %q: unpacks to something else", path, accept)
			}
			again := webtest.Get(s, path, "Accept-Encoding", accept, "If-None-Match", w.Header().Get("ETag"))
			if again.Code != http.StatusNotModified || again.Body.Len() != 0 ||
				!strings.Contains(again.Header().Get("Vary"), "Accept-Encoding") {
				t.Errorf("%s for %q: %d, %d bytes, %v", path, accept, again.Code, again.Body.Len(), again.Header())
			}
		}
	}
}

// unpacked returns the decompressed body of an answer.
func unpacked(t *testing.T, w *httptest.ResponseRecorder) []byte {
	t.Helper()
	var from io.Reader = bytes.NewReader(w.Body.Bytes())
	switch w.Header().Get("Content-Encoding") {
	case "gzip":
		z, err := gzip.NewReader(from)
		if err != nil {
			t.Fatal(err)
		}
		from = z
	case "br":
		from = brotli.NewReader(from)
	}
	body, err := io.ReadAll(from)
	if err != nil {
		t.Fatal(err)
	}
	return body
}

// TestParts: a range of a file is a range of the uncompressed file, whatever encodings the client accepts.
func TestParts(t *testing.T) {
	s, path := webtest.NewServer(t, &webtest.FakeEngine{}), static.URL("css/base.css")
	plain := webtest.Get(s, path)
	w := webtest.Get(s, path, "Accept-Encoding", "gzip, br", "Range", "bytes=3-3002")
	if w.Code != http.StatusPartialContent || w.Header().Get("Content-Encoding") != "" ||
		!bytes.Equal(w.Body.Bytes(), plain.Body.Bytes()[3:3003]) {
		t.Errorf("%d %v %q", w.Code, w.Header(), w.Body)
	}
}
