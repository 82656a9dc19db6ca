package atlas_test

import (
	"log/slog"
	"net/http/httptest"
	"testing"

	"attnatlas/web/atlas"
	"attnatlas/web/site"
)

// BenchmarkWall measures the server's work for the first view, whose maps are cached: selection, layout and writing.
func BenchmarkWall(b *testing.B) {
	s, err := atlas.New(nil, site.Options{Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		r := httptest.NewRequest("GET", "http://localhost/", nil)
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		if w.Code != 200 {
			b.Fatal(w.Code)
		}
	}
}
