package compare_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"attnatlas/web/webtest"
)

// TestComparePage: two maps and their difference, also as pictures, with the numbers and sentences of the API.
func TestComparePage(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{})
	w := webtest.Get(s, "/compare?text=the+old+cat&a=dense:2:3&b=random:1:2&pin=2.3")
	doc, page := webtest.Parse(t, w), webtest.Get(s, "/compare?text=the+old+cat&a=dense:2:3&b=random:1:2").Body.String()
	for _, sel := range []string{
		"article#card-a img", "article#card-b img", "article#card-difference img", "article#card-a A · Dense synthesizer",
		"article#card-b head 2", "section#readout[data-pinned=true]",
		"textarea#c-text the old cat", "option[selected] Dense synthesizer", "textarea#c-other",
	} {
		if !webtest.Present(doc, sel) {
			t.Errorf("there is no %s", sel)
		}
	}
	c := comparing(t, s, "text=the+old+cat&a=dense:2:3&b=random:1:2")
	for _, k := range c.Largest {
		if !strings.Contains(webtest.TextOf(doc), k.Text) {
			t.Errorf("the page does not say %q", k.Text)
		}
	}
	links := strings.Join(webtest.LinksOf(doc), " ")
	for _, want := range []string{"/compare?a=random%3A1%3A2&b=dense%3A2%3A3&text=the+old+cat",
		"/export/compare.png?a=dense%3A2%3A3&b=random%3A1%3A2&text=the+old+cat", "/api/v1/compare?a=dense%3A2%3A3"} {
		if !strings.Contains(links, want) {
			t.Errorf("no link to %s", want)
		}
	}
	if len(webtest.All(doc, "meter")) != len(c.Rows) {
		t.Errorf("%d rows have a divergence, %d are shown", len(c.Rows), len(webtest.All(doc, "meter")))
	}
	for _, link := range append(webtest.LinksOf(doc), webtest.SourcesOf(doc)...) {
		if link, _, _ = strings.Cut(link, "#"); strings.HasPrefix(link, "/") && webtest.Get(s, link).Code != http.StatusOK {
			t.Errorf("%s: %d", link, webtest.Get(s, link).Code)
		}
	}
	webtest.CheckEscaped(t, page)
}

// TestComparedWithNothing: if one side has no map, the map of the other side is drawn, with and without scripts.
func TestComparedWithNothing(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{})
	doc := webtest.Parse(t, webtest.Get(s, "/compare?text=the+cat&a=fastformer&b=dense&mask=causal"))
	data := webtest.SourcesOf(doc)
	if webtest.Present(doc, "article#card-a img") || !webtest.Present(doc, "article#card-b img") || len(data) == 0 {
		t.Fatalf("a map is drawn that there is not, or none that there is: %q", data)
	}
	for _, link := range append(webtest.LinksOf(doc), data...) {
		if link, _, _ = strings.Cut(link, "#"); strings.HasPrefix(link, "/") && webtest.Get(s, link).Code != http.StatusOK {
			t.Errorf("%s: %d", link, webtest.Get(s, link).Code)
		}
	}
}

// TestComparePageStands: the page reports errors and shows everything else.
func TestComparePageStands(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{})
	for query, want := range map[string]struct {
		status int
		says   string
		cards  int
	}{
		"":                                              {200, "", 3},
		"a=nonsense&b=random":                           {404, "nonsense", 3},
		"a=dense:99&b=random":                           {404, "No layer 99", 3},
		"a=dense:1:99&b=random":                         {404, "No head 99", 3},
		"a=dense&b=dense&b.layer=9":                     {200, "", 3}, // a form chose the layer for another model
		"a=dense:x":                                     {400, "must be a mechanism with its layer", 3},
		"a=dense&b=dense":                               {200, "0, bit-identical", 3},
		"a=dense&b=fastformer":                          {200, "They have different units", 3},
		"a=dense&b=fastformer&show=influence":           {200, "largest differences", 3},
		"a=dense&b=fastformer&mask=causal":              {200, "article", 2},
		"text=":                                         {400, "no words", 0},
		"text=" + strings.Repeat("x", 10_000):           {200, "64 positions", 2},
		"text=" + url.QueryEscape(webtest.LongText):     {413, "limit 65", 0},
		"text=one+two&other=three":                      {200, "Only maps of texts of the same length", 3},
		"text=one+two&other=three+four&a=dense&b=dense": {200, "the second text", 3},
		"text=one+two&other=" + url.QueryEscape(webtest.LongText): {413, "limit 65", 3},
		"a=%3Cscript%3E&b=%00&text=hello&pin=99.99&show=x":        {400, "script", 3},
		"text=hello&hide=0.5": {303, "", -1},
	} {
		w := webtest.Get(s, "/compare?"+query)
		page := w.Body.String()
		if w.Code != want.status || !strings.Contains(strings.ReplaceAll(page, "\u202f", ""), want.says) {
			t.Errorf("%.60s: %d, says %q: %v", query, w.Code, want.says, strings.Contains(page, want.says))
		}
		if want.cards < 0 {
			continue
		}
		if got := len(webtest.All(webtest.Parse(t, w), "article.card")); got != want.cards {
			t.Errorf("%.60s: %d cards, not %d", query, got, want.cards)
		}
		if webtest.CheckEscaped(t, page); len(page) > 300_000 {
			t.Errorf("%.60s: %d bytes", query, len(page))
		}
	}
}
