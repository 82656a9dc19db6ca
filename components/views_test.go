package components_test

import (
	"strings"
	"testing"

	"attnatlas/components"

	"golang.org/x/net/html"
)

// butterfly is the network of four slots and three stages: switches, even slots first, switches,
// back, switches.
var butterfly = [][]int{{0, 2, 1, 3}, {0, 2, 1, 3}, {0, 1, 2, 3}}

func viewFixtures() []components.Map {
	words := components.Axis{Role: "query", Title: "reads", Count: 3, Labels: []string{"[CLS]", nasty, "it"}, Words: true}
	link := components.Link{Label: "PNG", URL: "/export/x.png?plane=1", Download: "x.png"}
	image := components.Image{URL: "/export/x.png?bare=1", Width: 30, Height: 30, Alt: "x"}
	return []components.Map{
		{Mechanism: "linformer", Name: "weights", Symbol: "P", Caption: "share", Form: "rectangle",
			Rows: words, Cols: components.Axis{Role: "slot", Title: "slot", Count: 16}, Image: image, Export: link,
			Legend: components.Legend{Title: "probability", Scale: "cividis",
				Ticks: []components.Tick{{Place: 0, Label: "0"}, {Place: 0.5, Label: "half"}, {Place: 1, Label: "row max"}}}},
		{Mechanism: "longformer", Name: "pattern", Symbol: "pattern", Form: "pattern", Rows: words, Cols: words,
			Image: image, Export: link, Legend: components.Legend{Hues: []components.Hue{{Index: 1, Label: "window"},
				{Index: 2, Label: nasty}}}},
		{Mechanism: "mixture-rv", Name: "alpha", Symbol: "α", Form: "strip", Rows: components.Axis{Count: 1},
			Cols:  components.Axis{Role: "channel", Title: "part", Count: 2, Labels: []string{"random", "dot-product"}},
			Image: image, Export: link},
		{Mechanism: "reformer", Name: "weights by round", Symbol: "A", Form: "heatmap", Rows: words, Cols: words,
			Stack: "round", Planes: []components.Plane{{Label: "round 1", Image: image, Export: link},
				{Label: "round 2", Image: image, Export: link}}, Image: image, Export: link},
		{Mechanism: "shuffle-exchange", Name: "wiring", Symbol: "π", Form: "wiring", Wiring: butterfly,
			Rows: words, Cols: components.Axis{Role: "stage", Title: "3 stages", Count: 3}, Export: link},
		{},
	}
}

func TestViewsShowWhatTheyAreGiven(t *testing.T) {
	root, source := parsed(t, components.Views(viewFixtures()))
	walk(root, func(n *html.Node) {
		for _, a := range n.Attr {
			if a.Key == "style" || strings.HasPrefix(a.Key, "on") {
				t.Errorf("<%s %s=%q>", n.Data, a.Key, a.Val)
			}
		}
	})
	if strings.Contains(source, "<script>") {
		t.Error("a label has become a script")
	}
	figures := find(root, "class", "view")
	if len(figures) != 6 {
		t.Fatalf("%d figures", len(figures))
	}
	for i, want := range []string{"slot", "window", "dot-product", "round 2", "3 stages"} {
		if !strings.Contains(textOf(figures[i]), want) {
			t.Errorf("%s does not say %q: %s", attr(figures[i], "id"), want, textOf(figures[i]))
		}
	}
	for _, img := range elements(root, "img") {
		if attr(img, "loading") != "lazy" {
			t.Error("a picture of a view is fetched before it is in sight")
		}
	}
	if n := len(elements(figures[4], "path")); n != 3*(4+2) || len(elements(figures[4], "img")) != 0 {
		t.Errorf("the wiring has %d paths, want 12 wires and 6 switches", n)
	}
}

func elements(root *html.Node, name string) []*html.Node {
	var found []*html.Node
	walk(root, func(n *html.Node) {
		if n.Type == html.ElementNode && n.Data == name {
			found = append(found, n)
		}
	})
	return found
}
