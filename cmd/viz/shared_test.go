package main

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"

	"attnatlas/web/browsertest"
)

// serving serves models until all tests are done.
func serving(t *testing.T, w weights) *httptest.Server {
	t.Helper()
	handler, err := w.server(slog.New(slog.DiscardHandler))
	must(t, err)
	return started(handler)
}

func started(handler http.Handler) *httptest.Server { return browsertest.Serve(handler) }
