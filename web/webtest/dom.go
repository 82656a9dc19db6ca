package webtest

import (
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// Present looks for an element with a text: "article#id descendant some text". The first word is a selector, and
// so is the second if it has the form of one. The rest is text in the last element.
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

// Attr returns an attribute of a node. ok is false if there is none.
func Attr(n *html.Node, key string) (string, bool) {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val, true
		}
	}
	return "", false
}

// TextOf returns all text below a node.
func TextOf(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode && d.Parent.Data != "script" {
			b.WriteString(d.Data)
		}
	}
	return b.String()
}

// Inline lists what the content security policy forbids: scripts and styles in the document, event handlers, and
// resources from elsewhere.
func Inline(doc *html.Node) []string {
	var faults []string
	for n := range doc.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		_, hasSource := Attr(n, "src")
		kind, _ := Attr(n, "type")
		rel, _ := Attr(n, "rel") // browsers do not load an alternate form of the page
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

// Parse parses the document of an answer.
func Parse(t *testing.T, w *httptest.ResponseRecorder) *html.Node {
	t.Helper()
	doc, err := html.Parse(w.Body)
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// Shown returns the text of a page without its elements, because words of the glossary are links.
func Shown(t *testing.T, page string) string {
	t.Helper()
	doc, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	return TextOf(doc)
}

// InDirectory reports whether a node is in the directory of all pages at the end of a page. Some of its links lead
// to pages that the fake engine cannot compute. TestDirectoryLeadsSomewhere of web/directory follows them.
func InDirectory(n *html.Node) bool {
	for ; n != nil; n = n.Parent {
		if IsElement(n, "nav#directory") {
			return true
		}
	}
	return false
}

// LinksOf lists the addresses that a page or an element refers to, without the directory at the end of the page.
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

// SourcesOf lists the addresses of the data that a page's scripts fetch.
func SourcesOf(doc *html.Node) []string {
	var sources []string
	for n := range doc.Descendants() {
		if src, ok := Attr(n, "data-src"); ok && src != "" {
			sources = append(sources, src)
		}
	}
	return sources
}

// QueryOf returns the query of an address.
func QueryOf(t *testing.T, address string) url.Values {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	return u.Query()
}
