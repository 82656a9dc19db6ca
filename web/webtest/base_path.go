package webtest

import (
	"log/slog"
	"testing"

	"attnatlas/engine"
	"attnatlas/engine/attention"
	"attnatlas/engine/encoder"
	"attnatlas/web"
	"attnatlas/web/site"
)

const Prefix = "/atlas"

// Based returns a server that may know its path prefix.
func Based(t *testing.T, base string, access site.Access) *site.Server {
	t.Helper()
	s, err := web.New(site.Options{
		Inspector: &FakeEngine{}, Entries: attention.Catalog, Stacks: encoder.Stacks, Base: base, Access: access,
		Info: func(id string) (*engine.ModelInfo, error) { return FakeInfo(id), nil }, Log: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	return s
}
