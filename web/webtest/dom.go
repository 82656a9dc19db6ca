package webtest

import (
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// Present looks for "article#id descendant some text": the first word, and a
// second one that is a selector, name elements; the rest is text in the last.
func Present(root *html.Node, sel string) bool {
	first, rest, _ := strings.Cut(sel, " ")
	for n := range root.Descendants() {
		if !IsElement(n, first) {
			continue
		}
		second, more, _ := strings.Cut(rest, " ")
		if second == "img" || strings.ContainsAny(second, "#.[") && strings.HasPrefix(second, "p.") ||
			strings.HasPrefix(second, "a.") {
			if Present(n, strings.TrimSpace(second+" "+more)) {
				return true
			}
			continue
		}
		if rest == "" || strings.Contains(strings.ReplaceAll(TextOf(n), "\u202f", ""), rest) {
			return true
		}
	}
	return false
}

// IsElement matches tag#id.class[attribute=value].
func IsElement(n *html.Node, sel string) bool {
	if n.Type != html.ElementNode {
		return false
	}
	sel, attribute, bracket := strings.Cut(strings.TrimSuffix(sel, "]"), "[")
	if bracket {
		key, value, given := strings.Cut(attribute, "=")
		got, ok := Attr(n, key)
		if !ok || given && got != value {
			return false
		}
	}
	sel, classes, _ := strings.Cut(sel, ".")
	have, _ := Attr(n, "class")
	for class := range strings.SplitSeq(classes, ".") {
		if class != "" && !slices.Contains(strings.Fields(have), class) {
			return false
		}
	}
	tag, id, hasID := strings.Cut(sel, "#")
	got, _ := Attr(n, "id")
	return n.Data == tag && (!hasID || got == id)
}

// Attr is the attribute of a node; ok is false where it has none.
func Attr(n *html.Node, key string) (string, bool) {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val, true
		}
	}
	return "", false
}

// TextOf is all text below a node.
func TextOf(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode && d.Parent.Data != "script" {
			b.WriteString(d.Data)
		}
	}
	return b.String()
}

// Inline lists what the policy forbids: scripts and styles in the document,
// event handlers, and anything from elsewhere.
func Inline(doc *html.Node) []string {
	var faults []string
	for n := range doc.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		_, hasSource := Attr(n, "src")
		kind, _ := Attr(n, "type")
		rel, _ := Attr(n, "rel") // what is another form of the page is for programs: no browser loads it
		if n.Data == "style" || n.Data == "script" && !hasSource && kind != "application/json" || n.Data == "base" {
			faults = append(faults, "<"+n.Data+">")
		}
		for _, a := range n.Attr {
			if a.Key == "style" || strings.HasPrefix(a.Key, "on") {
				faults = append(faults, n.Data+" "+a.Key)
			}
			loads := a.Key == "src" || a.Key == "srcset" || a.Key == "href" || a.Key == "action"
			if loads && (strings.Contains(a.Val, "//") && n.Data != "a" && rel != "alternate" ||
				strings.HasPrefix(strings.ToLower(a.Val), "javascript:")) {
				faults = append(faults, n.Data+" "+a.Key+"="+a.Val)
			}
		}
	}
	return faults
}

// Parse reads the document of an answer.
func Parse(t *testing.T, w *httptest.ResponseRecorder) *html.Node {
	t.Helper()
	doc, err := html.Parse(w.Body)
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// InDirectory says whether a node is in the directory of all pages at the end of a page. Its links also lead to pages
// that the fake engine cannot compute; TestDirectoryLeadsSomewhere of web/directory follows them.
func InDirectory(n *html.Node) bool {
	for ; n != nil; n = n.Parent {
		if IsElement(n, "nav#directory") {
			return true
		}
	}
	return false
}

// LinksOf are the addresses of everything that a page, or an element, refers to, without the directory at its end.
func LinksOf(doc *html.Node) []string {
	var links []string
	for n := range doc.Descendants() {
		if InDirectory(n) && !InDirectory(doc) {
			continue
		}
		for _, key := range []string{"href", "src", "srcset"} {
			if link, ok := Attr(n, key); ok {
				links = append(links, link)
			}
		}
	}
	return links
}

// SourcesOf are the addresses of the data that a page's scripts fetch.
func SourcesOf(doc *html.Node) []string {
	var sources []string
	for n := range doc.Descendants() {
		if src, ok := Attr(n, "data-src"); ok && src != "" {
			sources = append(sources, src)
		}
	}
	return sources
}

// QueryOf is the query of an address.
func QueryOf(t *testing.T, address string) url.Values {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	return u.Query()
}
