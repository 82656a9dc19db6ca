package wall_test

import (
	"encoding/base64"
	"encoding/json"
	"image/png"
	"strings"
	"testing"

	"attnatlas/web/api"
	"attnatlas/web/webtest"
)

// TestFilterIsTheSameEverywhere: drawings, figures and data exclude the same cells, and the page says so in words.
func TestFilterIsTheSameEverywhere(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{})
	const query = "text=hello+you+there&m=dense&layer=1&head=1&sinks=aside&mass=0.7&top=2"
	var drawing api.Drawing
	if err := json.Unmarshal(webtest.Get(s, "/api/v1/drawing?map=weights&"+query).Body.Bytes(), &drawing); err != nil {
		t.Fatal(err)
	}
	var attend api.Attend
	if err := json.Unmarshal(webtest.Get(s, "/api/v1/attend?map=weights&"+query).Body.Bytes(), &attend); err != nil {
		t.Fatal(err)
	}
	m, numbers := drawing.Mechanisms[0].Maps[0], attend.Mechanisms[0].Layers[0].Maps[0]
	for i, class := range m.Planes[0].Classes {
		if (class == '6') != (numbers.Aside[i] == '1') {
			t.Errorf("cell %d: class %c, aside %c", i, class, numbers.Aside[i])
		}
	}
	if n := strings.Count(numbers.Aside, "1"); n == 0 || n == len(numbers.Aside) {
		t.Fatalf("%d of %d cells are set aside", n, len(numbers.Aside))
	}
	picture, err := png.Decode(webtest.Get(s, "/export/dense.png?bare=1&scale=8&theme=light&"+query).Body)
	if err != nil {
		t.Fatal(err)
	}
	for i := range numbers.Aside {
		r, g, b, _ := picture.At(i%m.Cols*8+6, i/m.Cols*8+1).RGBA() // between the lines of the hatch
		if paper := r&g&b == 0xffff; paper != (numbers.Aside[i] == '1') {
			t.Errorf("cell %d of the figure is paper: %v", i, paper)
		}
	}
	page := webtest.Get(s, "/?pin=2&"+query)
	doc := webtest.Parse(t, page)
	for _, sel := range []string{"p.legend-title [CLS], [SEP] hold 0.", "p.legend-title largest shown in its row",
		"li.swatch.aside", "option[value=0.7] 0.7", "span.aside excluded", "span#displayed filtered"} {
		if !webtest.Present(doc, sel) {
			t.Errorf("the page lacks %s", sel)
		}
	}
	if plain := webtest.Get(s, "/?text=hello&m=dense"); strings.Contains(plain.Body.String(), "; excluded") ||
		!webtest.Present(webtest.Parse(t, plain), "option[value=aside] excluded") {
		t.Error("without a filter something is said of it, or it cannot be chosen")
	}
}

// TestFilterLeavesValues: scripts get the same numbers with and without a filter.
func TestFilterLeavesValues(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{})
	values := func(query string) string {
		var d api.Drawing
		if err := json.Unmarshal(webtest.Get(s, "/api/v1/drawing?map=weights&text=hello+you&m=dense"+query).Body.Bytes(),
			&d); err != nil {
			t.Fatal(err)
		}
		return base64.StdEncoding.EncodeToString(d.Mechanisms[0].Maps[0].Planes[0].Values)
	}
	if values("") != values("&sinks=aside&top=1") {
		t.Error("a filter changes numbers")
	}
}
