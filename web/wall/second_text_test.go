package wall_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"attnatlas/engine/exhibit"
	"attnatlas/engine/messages"
	"attnatlas/engine/metrics"
	"attnatlas/web/address"
	"attnatlas/web/api"
	"attnatlas/web/site"
	"attnatlas/web/webtest"
)

const twoTexts = "text=the+old+cat&other=the+wet+dog&head=2&m=dense,fastformer"

// TestSecondText: every card has the map of the second text in the same head, the difference, and its size in
// digits and in words.
func TestSecondText(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{})
	doc := webtest.Parse(t, webtest.Get(s, "/?"+twoTexts))
	for _, sel := range []string{
		"textarea#c-other the wet dog", "header.card-head p.change", "div.second-map[data-map=second] img",
		"div.second-map[data-map=difference] img", "input", "div#second-tools[data-open=true] Swap",
	} {
		if !webtest.Present(doc, sel) {
			t.Errorf("there is no %s", sel)
		}
	}
	var drawing api.Drawing
	if err := json.Unmarshal(webtest.Get(s, "/api/v1/drawing?norm=map&"+twoTexts).Body.Bytes(), &drawing); err != nil {
		t.Fatal(err)
	}
	one, other := mapOf(t, s, "the old cat"), mapOf(t, s, "the wet dog")
	c := exhibit.Compare(one, other)
	dense := drawing.Mechanisms[0].Maps
	if got := dense[len(dense)-2:]; got[0].Name != "second" || got[1].Name != "difference" ||
		got[1].Planes[0].Table != "diverging" ||
		string(got[0].Planes[0].Values) != string(values(other)) ||
		string(got[1].Planes[0].Values) != string(values(c.Difference)) {
		t.Errorf("drawn: %+v", got)
	}
	number, _ := c.Change()
	changes := webtest.All(doc, "p.change")
	if len(changes) != 2 || !strings.Contains(webtest.TextOf(changes[0]), number.String()) ||
		!strings.Contains(webtest.TextOf(changes[0]), "of the attention changed") ||
		!strings.Contains(webtest.TextOf(changes[1]), "of the map changed") {
		t.Errorf("%d changes", len(changes))
	}
	if change := metrics.Changed(one.Map.Value, other.Map.Value); c.Changed != change || change == 0 {
		t.Errorf("changed %v", c.Changed)
	}
}

// mapOf returns the map of dense's second head for a text.
func mapOf(t *testing.T, s *site.Server, text string) *exhibit.Exhibit {
	t.Helper()
	st := address.Default()
	st.Text, st.Head, st.Mechanisms = text, 2, []string{"dense"}
	sel, err := s.Inspect(context.Background(), st)
	if err != nil {
		t.Fatal(err)
	}
	x, err := sel.Exhibit("dense", "", 0)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// values returns the numbers of a map in the form of drawings.
func values(x *exhibit.Exhibit) []byte {
	d := api.NewCompareDrawing(exhibit.Compare(x, x), api.WithNumbers, messages.English)
	return d.Mechanisms[0].Maps[0].Planes[0].Values
}

// TestSecondTextShowsTheSameHead: both maps show the most distinctive head for the first text, even if the second
// text has another.
func TestSecondTextShowsTheSameHead(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{})
	differs := false
	for _, other := range []string{"a b c", "you saw her", "we all go", "one two three", "red hot sun"} {
		st := address.Default()
		st.Text, st.Other = "the old cat", other
		sel, second, err := s.InspectBoth(context.Background(), st)
		if err != nil {
			t.Fatal(err)
		}
		alone, err := s.Inspect(context.Background(), st.Second())
		if err != nil {
			t.Fatal(err)
		}
		for _, id := range st.Mechanisms {
			x, _ := sel.Exhibit(id, "", 0)
			y, _ := second.Exhibit(id, "", 0)
			z, _ := alone.Exhibit(id, "", 0)
			if x.Number != y.Number {
				t.Errorf("%s shows head %d of one text and %d of %q", id, x.Number, y.Number, other)
			}
			differs = differs || x.Number != z.Number
		}
	}
	if !differs {
		t.Error("this test has no text whose most distinctive head is another")
	}
}

// TestSecondTextOfAnotherLength: the maps are shown but not compared, and a link makes the texts equally long.
func TestSecondTextOfAnotherLength(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{})
	for query, want := range map[string]string{
		"text=the+old+cat+sat&other=the+dog": "/?layer=1&other=the+dog&text=the+old",
		"text=the+dog&other=the+old+cat+sat": "/?layer=1&other=the+old&text=the+dog",
	} {
		w := webtest.Get(s, "/?"+query)
		doc := webtest.Parse(t, w)
		if w.Code != http.StatusOK || !webtest.Present(doc, "div.second-map[data-map=second] img") ||
			webtest.Present(doc, "div.second-map[data-map=difference]") ||
			!webtest.Present(doc, "p.second-lengths Only maps of texts of the same length") {
			t.Errorf("%s: %d", query, w.Code)
		}
		cut := webtest.All(doc, "p.second-lengths")
		if links := webtest.LinksOf(cut[0]); len(links) != 1 || links[0] != want {
			t.Errorf("%s can be cut by %v", query, links)
		}
		if doc := webtest.Parse(t, webtest.Get(s, want)); !webtest.Present(doc, "div.second-map[data-map=difference]") {
			t.Errorf("%s is not compared", want)
		}
	}
}

// TestSecondTextRefused: the page reports a second text that cannot be read, and keeps the first text's maps. It
// stays small for any second text.
func TestSecondTextRefused(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{})
	for other, want := range map[string]struct {
		status int
		says   string
	}{
		strings.Repeat("word ", 20_000): {http.StatusRequestEntityTooLarge, "limit 65"},
		"  ":                            {http.StatusBadRequest, "no words"},
		strings.Repeat("x", 10_000):     {http.StatusOK, "64 positions"},
		"<script>alert(1)</script>":     {http.StatusOK, "Only maps of texts of the same length"},
		"100% \x00 \xff":                {http.StatusOK, "same length"},
	} {
		w := webtest.Get(s, "/?text=hello+you&other="+url.QueryEscape(other))
		page := w.Body.String()
		if w.Code != want.status || !strings.Contains(strings.ReplaceAll(page, "\u202f", ""), want.says) ||
			!strings.Contains(page, `id="map-dense"`) {
			t.Errorf("%.20q: %d, says %q: %v", other, w.Code, want.says, strings.Contains(page, want.says))
		}
		if len(page) > 600_000 {
			t.Errorf("%.20q: a page of %d bytes", other, len(page))
		}
		webtest.CheckEscaped(t, page)
	}
}
