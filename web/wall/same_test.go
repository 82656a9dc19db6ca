package wall_test

import (
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"attnatlas/web/site"
	"attnatlas/web/webtest"

	"golang.org/x/net/html"
)

// TestCardsThatAreTheSame: for another text, a script with cards gets only their addresses and the text's own
// parts. From these it builds the same cards as those that are sent completely.
func TestCardsThatAreTheSame(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{Change: webtest.Stacked})
	const path = "/?m=dense,dot-product&head=1&text="
	page := func(text string, headers ...string) *html.Node {
		return webtest.Parse(t, webtest.Get(s, path+url.QueryEscape(text),
			append([]string{site.OpenHeader, ""}, headers...)...))
	}
	value := func(n *html.Node, key string) string { v, _ := webtest.Attr(n, key); return v }
	shapes := func(doc *html.Node) (list []string) {
		for _, card := range webtest.All(doc, "article.card") {
			list = append(list, value(card, "data-shape"))
		}
		return list
	}
	before, whole := page("the, cat"), page("the, dog")
	has := shapes(before)
	if len(has) != 2 || has[0] == "" || has[0] == has[1] {
		t.Fatalf("the cards are of the shapes %q", has)
	}
	if plain := shapes(webtest.Parse(t, webtest.Get(s, path+"the%2C+cat"))); strings.Join(plain,
		",") != strings.Join(has, ",") {
		t.Errorf("the page as such has cards of the shapes %q, that for a script %q: what a script draws itself counts",
			plain, has)
	}
	short := page("the, dog", site.HasHeader, strings.Join(has, ","))
	query := func(doc *html.Node) string { return value(webtest.All(doc, "div#cards")[0], "data-query") }
	follow := regexp.MustCompile(`([?&])` + regexp.QuoteMeta(query(before)) + `([&#]|$)`)
	for i, card := range webtest.All(short, "article.card") {
		if _, same := webtest.Attr(card, "data-same"); !same {
			t.Fatalf("card %d is sent again", i)
		}
		old, want := webtest.All(before, "article.card")[i], webtest.All(whole, "article.card")[i]
		for n := range old.Descendants() {
			for k, a := range n.Attr {
				if strings.Contains(a.Val, query(before)) && a.Key != "href" && a.Key != "data-src" {
					t.Errorf("%s has the text in %s, which scripts do not lead to another", n.Data, a.Key)
				}
				n.Attr[k].Val = follow.ReplaceAllString(a.Val, "${1}"+query(short)+"${2}")
			}
		}
		for _, piece := range slices.Collect(card.ChildNodes()) {
			if piece.Type == html.ElementNode {
				replace(t, old, piece)
			}
		}
		if got, want := source(t, old), source(t, want); got != want {
			t.Errorf("made of the card that was there:\n%s\nsent whole:\n%s", got, want)
		}
	}
	if other := page("the, dog", site.HasHeader, has[0]); len(webtest.All(other, "article.card[data-same]")) != 1 {
		t.Error("a card that the script has not is not sent")
	}
	if other := webtest.Parse(t, webtest.Get(s, path+"the%2C+cat&layer=2", site.OpenHeader, "", site.HasHeader,
		strings.Join(has, ","))); len(webtest.All(other, "article.card[data-same]")) > 0 {
		t.Error("a card of another layer is left out")
	}
}

// replace replaces the part of a card that has the same kind as a piece.
func replace(t *testing.T, card, piece *html.Node) {
	t.Helper()
	class, _ := webtest.Attr(piece, "class")
	kind := piece.Data + "." + strings.Fields(class)[0]
	found := webtest.All(card, kind)
	if len(found) != 1 {
		t.Fatalf("the card has %d of %s", len(found), kind)
	}
	piece.Parent.RemoveChild(piece)
	found[0].Parent.InsertBefore(piece, found[0])
	found[0].Parent.RemoveChild(found[0])
}

// source returns the content of an element as HTML.
func source(t *testing.T, n *html.Node) string {
	t.Helper()
	var b strings.Builder
	for child := range n.ChildNodes() {
		if err := html.Render(&b, child); err != nil {
			t.Fatal(err)
		}
	}
	return b.String()
}
