package wall_test

import (
	"encoding/json"
	"net/url"
	"strings"
	"testing"

	"attnatlas/engine"
	"attnatlas/web/api"
	"attnatlas/web/webtest"

	"golang.org/x/net/html"
)

func value(n *html.Node, key string) string {
	v, _ := webtest.Attr(n, key)
	return v
}

// TestHeadsWithoutScripts: a card names its head. Every small map is a link that changes only the head of this
// card. All small maps are one picture, which does not depend on the shown head.
func TestHeadsWithoutScripts(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{})
	doc := webtest.Parse(t, webtest.Get(s, "/?text=a+b&m=dense,random&head=2&random.head=mean&cmap=ink"))
	said, names := map[string]string{}, map[string]bool{}
	for _, card := range webtest.All(doc, "article.card") {
		id := value(card, "data-mechanism")
		said[id] = strings.Join(strings.Fields(webtest.TextOf(webtest.All(card, "p.heads-says")[0])), " ")
		links := webtest.All(card, "a.head")
		if len(links) != webtest.FakeHeads+1 || value(webtest.All(webtest.All(card, "div.heads-sheet")[0], "img")[0],
			"loading") != "lazy" {
			t.Fatalf("%s: %d heads", id, len(links))
		}
		for head, a := range links {
			to, err := url.Parse(value(a, "href"))
			if err != nil {
				t.Fatal(err)
			}
			name := value(a, "aria-label")
			if names[name] || !strings.HasPrefix(name, webtest.TextOf(a)) {
				t.Errorf("%s, head %d is called %q", id, head, name)
			}
			names[name] = true
			want := map[int]string{0: "mean", 1: "1", 2: "", 3: "3", 4: "4"}[head] // 2 is the head of all cards
			current := id == "dense" && head == 2 || id == "random" && head == 0
			if q := to.Query(); q.Get(id+".head") != want || q.Get("head") != "2" || q.Get("cmap") != "ink" ||
				(value(a, "aria-current") == "true") != current {
				t.Errorf("%s, head %d: %s", id, head, to)
			}
		}
	}
	if said["dense"] != "Head 2" || said["random"] != "Mean of 4 heads Use the common head" {
		t.Errorf("%q", said)
	}
	if fields := webtest.All(doc, "input[name=random.head]"); len(fields) != 1 || value(fields[0], "value") != "mean" {
		t.Errorf("%d fields", len(fields))
	}
	sheet := func(query string) string {
		doc := webtest.Parse(t, webtest.Get(s, "/?text=a+b&m=dense&"+query))
		return value(webtest.All(webtest.All(doc, "div.heads-sheet")[0], "img")[0], "src")
	}
	if one, other := sheet("head=1"), sheet("dense.head=3"); one != other || sheet("layer=2") == one {
		t.Errorf("%s, %s", one, other)
	}
	if img := webtest.Picture(t, s, sheet("head=1")); img.Bounds().Dx() != 5*img.Bounds().Dy() {
		t.Errorf("%v", img.Bounds())
	}
	if page := webtest.Get(s, "/?text=a+b&m=dense&show=influence").Body.String(); strings.Contains(page, "heads-sheet") ||
		!strings.Contains(page, "All heads together") {
		t.Error("influence has heads")
	}
}

// TestWhyDistinctive: a card and its small map give the measured reason for the most distinctive head.
func TestWhyDistinctive(t *testing.T) {
	for want, layer := range map[string]engine.Layer{
		"": {Distinctive: 2},
		"No head of this layer depends on the words, only on": {Distinctive: 1, Dependence: []float64{0, 0}},
		"When the words of a text are reversed, 25.0 % of":    {Distinctive: 1, Dependence: []float64{0.25}},
		"This head depends most on the words. When the words of a text are reversed, 50.0 % of the attention in its " +
			"rows moves to other positions. The other heads of this layer reach at most 25.0 %.": {Distinctive: 2,
			Dependence: []float64{0.25, 0.5, 0.1}},
	} {
		s := webtest.NewServer(t, &webtest.FakeEngine{Change: func(r *engine.Report) {
			shown := &r.Mechanisms[0].Layers[0]
			shown.Distinctive, shown.Dependence = layer.Distinctive, layer.Dependence
		}})
		doc := webtest.Parse(t, webtest.Get(s, "/?text=a+b&m=dense&layer=1"))
		why := value(webtest.All(doc, "p.heads-says")[0], "title")
		if !strings.HasPrefix(why, want) || want == "" && why != "" {
			t.Errorf("%q does not begin with %q", why, want)
		}
		tile := webtest.All(doc, "a.distinctive")
		if len(tile) != 1 || value(tile[0], "aria-current") != "true" || !strings.HasSuffix(value(tile[0], "title"), why) {
			t.Errorf("%d small maps are the most distinctive; want one with %q", len(tile), why)
		}
	}
}

// TestHeadsThatThereAreNot: the page reports heads that do not exist, and shows the default instead.
func TestHeadsThatThereAreNot(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{})
	for query, want := range map[string]string{
		"head=9":                      "No head 9; the models here have 4 heads.",
		"random.head=9":               "head 9 does not exist: Learned random has 4 heads.",
		"random.head=x":               `random.head=“x” must be auto, mean`,
		"gpt2.head=9&unknown.head=12": "",
	} {
		w := webtest.Get(s, "/?text=a+b&m=dense,random&"+query)
		body, problem := w.Body.String(), ""
		for _, p := range webtest.All(webtest.Parse(t, w), "p.message[role=alert]") {
			problem += webtest.TextOf(p)
		}
		if !strings.HasPrefix(problem, want) || (want == "") != (problem == "") || strings.Count(body, `id="map-`) != 2 {
			t.Errorf("%s: %q", query, problem)
		}
	}
}

// TestHeadOfNumbers: data name the head of every layer whose maps are of one head.
func TestHeadOfNumbers(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{})
	for query, want := range map[string][2]int{"head=mean": {0, 0}, "head=2": {2, 2}, "": {0, 0}, "dense.head=3": {3, 0},
		"head=4&dense.head=1": {1, 4}} {
		for i, m := range webtest.Attend(t, s, "text=a+b&m=dense,random&layer=1&"+query).Mechanisms {
			axes := 2
			if query == "" || query == "dense.head=3" && i == 1 {
				axes = 3 // all heads
			}
			if l := m.Layers[0]; l.Head != want[i] || len(l.Maps[0].Axes) != axes {
				t.Errorf("%s, %s: head %d, %v", query, m.ID, l.Head, l.Maps[0].Axes)
			}
		}
	}
	var drawing api.Drawing
	if err := json.Unmarshal(webtest.Get(s, "/api/v1/drawing?text=a+b&m=dense&map=heads,weights").Body.Bytes(),
		&drawing); err != nil {
		t.Fatal(err)
	}
	if maps := drawing.Mechanisms[0].Maps; len(maps) != 2 || maps[0].Name != "heads" || maps[0].Cols != 5*maps[0].Rows ||
		maps[0].Planes[0].Values != nil || maps[1].Planes[0].Values == nil {
		t.Errorf("%+v", drawing.Mechanisms[0].Maps)
	}
}
