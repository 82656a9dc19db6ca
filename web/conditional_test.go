package web

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"strings"
	"testing"
)

var keepable = []string{"/?text=hello", "/m/encoder-decoder", "/about", "/results", "/api/v1/results", "/api/v1/mechanisms", "/api/v1/attend?text=hello", "/export/dense.png?text=hello", "/api/v1/openapi.json"}

func TestConditionalGet(t *testing.T) {
	s := newServer(t, &fakeEngine{})
	for _, path := range keepable {
		w := get(s, path)
		tag := w.Header().Get("ETag")
		if w.Code != http.StatusOK || tag == "" || w.Header().Get("Cache-Control") != "no-cache" {
			t.Fatalf("%s: %d %v", path, w.Code, w.Header())
		}
		for _, header := range []string{tag, strings.TrimPrefix(tag, "W/"), `"other", ` + tag, "*"} {
			again := get(s, path, "If-None-Match", header)
			if again.Code != http.StatusNotModified || again.Body.Len() != 0 || again.Header().Get("ETag") != tag {
				t.Errorf("%s If-None-Match %s: %d, %d bytes", path, header, again.Code, again.Body.Len())
			}
		}
		if other := get(s, path, "If-None-Match", `"other"`); other.Code != http.StatusOK || !bytes.Equal(other.Body.Bytes(), w.Body.Bytes()) {
			t.Errorf("%s with another tag: %d", path, other.Code)
		}
	}
}

// TestSameURLSameBytes: also on another server, where nothing is in memory yet.
func TestSameURLSameBytes(t *testing.T) {
	one, two := newServer(t, &fakeEngine{}), newServer(t, &fakeEngine{})
	for _, path := range keepable {
		if a, b := get(one, path), get(two, path); !bytes.Equal(a.Body.Bytes(), b.Body.Bytes()) || a.Header().Get("ETag") != b.Header().Get("ETag") {
			t.Errorf("%s differs between two servers", path)
		}
	}
}

func TestErrorsAreNotKept(t *testing.T) {
	s := newServer(t, &fakeEngine{})
	for _, path := range []string{"/?text=", "/?layer=99", "/nowhere", "/api/v1/attend?text=", "/export/nonsense.png"} {
		w := get(s, path)
		if w.Header().Get("ETag") != "" || w.Header().Get("Cache-Control") != "no-store" {
			t.Errorf("%s: %v", path, w.Header())
		}
		if again := get(s, path, "If-None-Match", "*"); again.Code != w.Code {
			t.Errorf("%s: %d, then %d", path, w.Code, again.Code)
		}
	}
}

func TestCompression(t *testing.T) {
	s := newServer(t, &fakeEngine{})
	for _, path := range keepable {
		plain := get(s, path)
		w := get(s, path, "Accept-Encoding", "gzip, br")
		if strings.HasSuffix(path, "openapi.json") || strings.Contains(path, ".png") {
			continue // not worth it
		}
		if w.Header().Get("Content-Encoding") != "gzip" || w.Header().Get("Content-Length") != "" {
			t.Errorf("%s: %v", path, w.Header())
			continue
		}
		z, err := gzip.NewReader(w.Body)
		if err != nil {
			t.Fatal(err)
		}
		if body, err := io.ReadAll(z); err != nil || !bytes.Equal(body, plain.Body.Bytes()) {
			t.Errorf("%s: unpacks to something else: %v", path, err)
		}
		if again := get(s, path, "Accept-Encoding", "gzip", "If-None-Match", w.Header().Get("ETag")); again.Code != http.StatusNotModified || again.Body.Len() != 0 {
			t.Errorf("%s: %d, %d bytes", path, again.Code, again.Body.Len())
		}
	}
}
