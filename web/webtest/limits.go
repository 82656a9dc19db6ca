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

// ServerWith returns a server with a fake engine and changed options.
func ServerWith(t *testing.T, f *FakeEngine, change func(*site.Options)) *site.Server {
	t.Helper()
	o := site.Options{
		Inspector: f, Entries: attention.Catalog, Stacks: encoder.Stacks, Version: "test",
		Info: func(id string) (*engine.ModelInfo, error) { return FakeInfo(id), nil }, Log: slog.New(slog.DiscardHandler),
	}
	change(&o)
	s, err := web.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}
