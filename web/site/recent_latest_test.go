package site

import (
	"strings"
	"testing"

	"attnatlas/engine"
)

// TestRecentKeepsTheLatest: a repeated request keeps its report, and the oldest report is evicted.
func TestRecentKeepsTheLatest(t *testing.T) {
	report := &engine.Report{Text: strings.Repeat("a ", 40)}
	two := recent{most: 5 * uint64(weigh(ReportKey{text: report.Text}, report)) / 2}
	for _, text := range []string{"1", "2", "3"} {
		two.put(ReportKey{text: text + report.Text}, report)
	}
	kept := func(text string) bool { return two.get(ReportKey{text: text + report.Text}) != nil }
	if kept("1") || !kept("2") || !kept("3") {
		t.Error("the two latest are not those that are kept")
	}
	kept("2")
	two.put(ReportKey{text: "4" + report.Text}, report)
	if kept("3") || !kept("2") {
		t.Error("asking again does not keep a report")
	}
}
