package webtest

import (
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// WantPage is the answer that a test expects of a route.
type WantPage struct {
	Path   string
	Accept string
	Status int
	Kind   string   // beginning of the Content-Type
	Has    []string // "tag#id", "tag.class", "tag[attribute=value]" and, after a space, text in it
	Not    []string
}

const (
	HtmlType    = "text/html"
	ProblemType = "application/problem+json"
)

// LongText is longer than the longest text of any model.
var LongText = strings.Repeat("word ", 20_000)

// CheckDocument fails if a page lacks an expected element.
func CheckDocument(t *testing.T, page string, want WantPage) {
	t.Helper()
	doc, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	for _, sel := range want.Has {
		if !Present(doc, sel) {
			t.Errorf("no %s in %s", sel, want.Path)
		}
	}
	for _, sel := range want.Not {
		if Present(doc, sel) {
			t.Errorf("%s is in %s", sel, want.Path)
		}
	}
	for _, fault := range Inline(doc) {
		t.Errorf("%s: inline %s", want.Path, fault)
	}
}
