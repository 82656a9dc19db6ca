package components_test

import (
	"fmt"
	"strings"
	"testing"

	"attnatlas/components"

	"golang.org/x/net/html"
)

// mostTraced is the most slots with wires as single elements, as in map.go.
const mostTraced = 128

// wireStage is one stage of a drawn wiring, as paths.
type wireStage struct{ wires, switches []string }

// drawn returns the stages of a rendered wiring, and the size of the drawing.
func drawn(t *testing.T, from [][]int) (stages []wireStage, width, height int) {
	t.Helper()
	root, _ := parsed(t, components.Wiring(components.Map{Form: "wiring", Wiring: from}))
	if _, err := fmt.Sscanf(attr(elements(root, "svg")[0], "viewBox"), "0 0 %d %d", &width, &height); err != nil {
		t.Fatal(err)
	}
	paths := func(stage *html.Node, class string) (list []string) {
		for _, path := range elements(find(stage, "class", class)[0], "path") {
			list = append(list, attr(path, "d"))
		}
		return list
	}
	for _, stage := range find(root, "class", "stage") {
		stages = append(stages, wireStage{paths(stage, "wires"), paths(stage, "switches")})
	}
	return stages, width, height
}

// ends returns the slots at which a wire begins and ends.
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
	stages, width, height := drawn(t, butterfly)
	pitch := height / 4
	if len(stages) != len(butterfly) {
		t.Fatalf("%d stages", len(stages))
	}
	for s, stage := range stages {
		if len(stage.wires) != len(butterfly[s]) {
			t.Fatalf("stage %d has %d wires", s+1, len(stage.wires))
		}
		for place, d := range stage.wires {
			if from, to := ends(t, d, pitch); from != butterfly[s][place] || to != place {
				t.Errorf("stage %d: the wire to place %d goes from %d to %d, want from %d", s+1, place, from, to,
					butterfly[s][place])
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
	stages, _, _ := drawn(t, [][]int{places, places})
	stage := stages[0]
	if len(stage.wires) != 1 || len(stage.switches) != 1 || strings.Count(stage.wires[0], "M") != len(places) {
		t.Errorf("%d paths of wires, %d of switches", len(stage.wires), len(stage.switches))
	}
	if stages, _, _ := drawn(t, nil); stages != nil {
		t.Error("a wiring without stages has some")
	}
}

// TestRowsOfWordsHaveRoomForThem: in a wide map, at least every second token has a label next to
// its row. Rows that are not tokens can be thin, and so can those of a text that is too long.
func TestRowsOfWordsHaveRoomForThem(t *testing.T) {
	for _, c := range []struct {
		rows, cols int
		words      bool
		want       string
	}{
		{20, 128, false, "0 0 100 25"}, {20, 128, true, "0 0 100 44"}, {4, 128, true, "0 0 100 25"},
		{200, 512, true, "0 0 100 39"}, {20, 16, true, "0 0 100 125"},
	} {
		v := components.Map{Form: "rectangle", Rows: components.Axis{Count: c.rows, Words: c.words},
			Cols: components.Axis{Count: c.cols}}
		if got := v.Box(); got != c.want {
			t.Errorf("%+v: %s", c, got)
		}
	}
}
