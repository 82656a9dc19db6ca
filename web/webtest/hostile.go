package webtest

import (
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/net/html"
)

// CheckEscaped fails if a page does not escape a text of a visitor.
func CheckEscaped(t *testing.T, page string) {
	if !utf8.ValidString(page) || strings.Contains(page, "\x00") {
		t.Error("the page is not UTF-8, or has NUL in it")
	}
	doc, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	for _, fault := range Inline(doc) {
		t.Errorf("inline %s", fault)
	}
	if !Present(doc, "header.masthead") || !Present(doc, "footer.foot") {
		t.Error("the page is not whole")
	}
	for n := range doc.Descendants() {
		if IsElement(n, "li.token") && strings.ContainsAny(TextOf(n), "\u202E\u2066\u2069\u200F\u061C\x00\x1b\r\n") {
			t.Errorf("the token %q has an invisible character", TextOf(n))
		}
	}
}
