package web

import (
	"context"
	"strings"
	"testing"

	"attnatlas/engine"
)

// TestRecent: what was asked for last is answered from memory, however full the cache is and
// however heavy the report; older ones make room.
func TestRecent(t *testing.T) {
	f := &fakeEngine{}
	ask := func(c *cachedInspector, word string) {
		t.Helper()
		if _, err := c.Inspect(context.Background(), engine.Request{Text: strings.Repeat(word+" ", 40), Mechanisms: []string{"dense"}}); err != nil {
			t.Fatal(err)
		}
	}
	tiny := newCache(t, f, 1000)
	for _, word := range []string{"a", "b", "c", "b"} {
		before := f.calls.Load()
		for range 3 {
			ask(tiny, word)
		}
		if got := f.calls.Load() - before; got > 1 {
			t.Errorf("%d calls for three times the same", got)
		}
	}
	if got := len(tiny.recent.list); got != 1 {
		t.Fatalf("%d reports are kept where there is no room for one", got)
	}
	report := tiny.recent.list[0]
	two := recent{most: 5 * uint64(weigh(report.key, report.report)) / 2}
	for _, text := range []string{"1", "2", "3"} {
		two.put(reportKey{text: text}, report.report)
	}
	if two.get(reportKey{text: "1"}) != nil || two.get(reportKey{text: "2"}) == nil || two.get(reportKey{text: "3"}) == nil {
		t.Error("the two latest are not those that are kept")
	}
	two.get(reportKey{text: "2"})
	two.put(reportKey{text: "4"}, report.report)
	if two.get(reportKey{text: "3"}) != nil || two.get(reportKey{text: "2"}) == nil {
		t.Error("asking again does not keep a report")
	}
}
