package webtest

import (
	"strings"

	"golang.org/x/net/html"
)

// All lists the elements that match a selector of one element. It panics on a selector of descendants, which matches nothing.
func All(doc *html.Node, sel string) []*html.Node {
	if strings.Contains(sel, " ") {
		panic("webtest: no selector of one element: " + sel)
	}
	var found []*html.Node
	for n := range doc.Descendants() {
		if IsElement(n, sel) {
			found = append(found, n)
		}
	}
	return found
}

// PlainText returns the text of a page without blanks, with subscripts spelled out.
func PlainText(doc *html.Node) string { return Spelled(TextOf(doc)) }

// Spelled reverses the typesetting of a sentence.
func Spelled(s string) string {
	return strings.NewReplacer("_", "", "\u00a0", "", " ", "", "\n", "", "\t", "", "ᵀ", "T", "₁", "1", "₂", "2", "ᵢ", "i",
		"ⱼ", "j", "²", "2",
		"⁻", "−", "⁶", "6", "⁴", "4", "ᵐ", "m").Replace(s)
}
