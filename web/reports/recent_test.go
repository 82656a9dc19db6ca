package reports

import (
	"strings"
	"testing"

	"attnatlas/engine"
)

// TestRecentKeepsTheLatest: a repeated request keeps its report, and the oldest report is evicted.
func TestRecentKeepsTheLatest(t *testing.T) {
	report := &engine.Report{Text: strings.Repeat("a ", 40)}
	two := recent{most: 5 * uint64(weigh(Key{text: report.Text}, report)) / 2}
	for _, text := range []string{"1", "2", "3"} {
		two.put(Key{text: text + report.Text}, report)
	}
	kept := func(text string) bool { return two.get(Key{text: text + report.Text}) != nil }
	if kept("1") || !kept("2") || !kept("3") {
		t.Error("the two latest are not those that are kept")
	}
	kept("2")
	two.put(Key{text: "4" + report.Text}, report)
	if kept("3") || !kept("2") {
		t.Error("asking again does not keep a report")
	}
}

// TestRecent: the latest report is answered from memory, however full the cache and however large the report. Older
// ones are evicted.
func TestRecent(t *testing.T) {
	f := &fake{}
	ask := func(c *Cache, word string) {
		t.Helper()
		if _, err := c.Inspect(t.Context(), engine.Request{Text: strings.Repeat(word+" ", 40),
			Mechanisms: []string{"dense"}}); err != nil {
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
}
