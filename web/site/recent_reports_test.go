package site_test

import (
	"context"
	"strings"
	"testing"

	"attnatlas/engine"
	"attnatlas/web/site"
	"attnatlas/web/webtest"
)

// TestRecent: the latest report is answered from memory, however full the cache and however large the report. Older
// ones are evicted.
func TestRecent(t *testing.T) {
	f := &webtest.FakeEngine{}
	ask := func(c *site.CachedInspector, word string) {
		t.Helper()
		if _, err := c.Inspect(context.Background(), engine.Request{Text: strings.Repeat(word+" ", 40),
			Mechanisms: []string{"dense"}}); err != nil {
			t.Fatal(err)
		}
	}
	tiny := newCache(t, f, 1000)
	for _, word := range []string{"a", "b", "c", "b"} {
		before := f.Calls.Load()
		for range 3 {
			ask(tiny, word)
		}
		if got := f.Calls.Load() - before; got > 1 {
			t.Errorf("%d calls for three times the same", got)
		}
	}
	if got := tiny.Kept(); got != 1 {
		t.Fatalf("%d reports are kept where there is no room for one", got)
	}
}
