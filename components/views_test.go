package components

import (
	"fmt"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// butterfly is the network of four places and three stages: switches, even places to
// the front, switches, and back, switches.
var butterfly = [][]int{{0, 2, 1, 3}, {0, 2, 1, 3}, {0, 1, 2, 3}}

// ends are the places at which a wire begins and ends.
func ends(t *testing.T, d string, pitch int) (from, to int) {
	t.Helper()
	var x, y, h, a, b, c, e, f, g int
	if n, _ := fmt.Sscanf(d, "M%d %dH%dC%d %d %d %d %d %d", &x, &y, &h, &a, &b, &c, &e, &f, &g); n == 9 {
		return y / pitch, g / pitch
	}
	if n, _ := fmt.Sscanf(d, "M%d %dH%d", &x, &y, &h); n == 3 {
		return y / pitch, y / pitch
	}
	t.Fatalf("%q is no wire", d)
	return 0, 0
}

func TestWiresLeadFromWhereAPlaceTakes(t *testing.T) {
	width, height := wiringSize(butterfly)
	pitch := height / 4
	for s, stage := range wireStages(butterfly) {
		for place, d := range stage.wires {
			if from, to := ends(t, d, pitch); from != butterfly[s][place] || to != place {
				t.Errorf("stage %d: the wire to place %d goes from %d to %d, want from %d", s+1, place, from, to, butterfly[s][place])
			}
		}
		if len(stage.switches) != 2 {
			t.Errorf("stage %d has %d switches for 4 places", s+1, len(stage.switches))
		}
		for i, d := range stage.switches {
			var x, top, bottom int
			if fmt.Sscanf(d, "M%d %dV%d", &x, &top, &bottom); top/pitch != 2*i || bottom/pitch != 2*i+1 || x >= width {
				t.Errorf("stage %d: switch %d joins places %d and %d at %d", s+1, i, top/pitch, bottom/pitch, x)
			}
		}
	}
}

func TestManyWiresAreOnePath(t *testing.T) {
	places := make([]int, 2*mostTraced)
	for i := range places {
		places[i] = i ^ 2
	}
	stage := wireStages([][]int{places, places})[0]
	if len(stage.wires) != 1 || len(stage.switches) != 1 || strings.Count(stage.wires[0], "M") != len(places) {
		t.Errorf("%d paths of wires, %d of switches", len(stage.wires), len(stage.switches))
	}
	if wireStages(nil) != nil {
		t.Error("a wiring without stages has some")
	}
}

// TestRowsOfWordsHaveRoomForThem: of a wide map, every other word at least is written beside
// its row; rows that are no words may be thin, and those of a text too long for it.
func TestRowsOfWordsHaveRoomForThem(t *testing.T) {
	for _, c := range []struct {
		rows, cols int
		words      bool
		want       string
	}{
		{20, 128, false, "0 0 100 25"}, {20, 128, true, "0 0 100 44"}, {4, 128, true, "0 0 100 25"}, {200, 512, true, "0 0 100 39"}, {20, 16, true, "0 0 100 125"},
	} {
		v := Map{Form: "rectangle", Rows: Axis{Count: c.rows, Words: c.words}, Cols: Axis{Count: c.cols}}
		if got := v.Box(); got != c.want {
			t.Errorf("%+v: %s", c, got)
		}
	}
}

func viewFixtures() []Map {
	words := Axis{Role: "query", Title: "reads", Count: 3, Labels: []string{"[CLS]", nasty, "it"}, Words: true}
	link := Link{Label: "PNG", URL: "/export/x.png?plane=1", Download: "x.png"}
	image := Image{URL: "/export/x.png?bare=1", Width: 30, Height: 30, Alt: "x"}
	return []Map{
		{Mechanism: "linformer", Name: "weights", Symbol: "P", Caption: "share", Form: "rectangle",
			Rows: words, Cols: Axis{Role: "slot", Title: "slot", Count: 16}, Image: image, Export: link,
			Legend: Legend{Title: "probability", Scale: "cividis", Ticks: []Tick{{0, "0"}, {0.5, "half"}, {1, "row max"}}}},
		{Mechanism: "longformer", Name: "pattern", Symbol: "pattern", Form: "pattern", Rows: words, Cols: words,
			Image: image, Export: link, Legend: Legend{Hues: []Hue{{1, "window"}, {2, nasty}}}},
		{Mechanism: "mixture-rv", Name: "alpha", Symbol: "α", Form: "strip", Rows: Axis{Count: 1},
			Cols: Axis{Role: "channel", Title: "part", Count: 2, Labels: []string{"random", "dot-product"}}, Image: image, Export: link},
		{Mechanism: "reformer", Name: "weights by round", Symbol: "A", Form: "heatmap", Rows: words, Cols: words,
			Stack: "round", Planes: []Plane{{"round 1", image, link}, {"round 2", image, link}}, Image: image, Export: link},
		{Mechanism: "shuffle-exchange", Name: "wiring", Symbol: "π", Form: "wiring", Wiring: butterfly,
			Rows: words, Cols: Axis{Role: "stage", Title: "3 stages", Count: 3}, Export: link},
		{},
	}
}

func TestViewsShowWhatTheyAreGiven(t *testing.T) {
	root, source := parsed(t, views(viewFixtures()))
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
