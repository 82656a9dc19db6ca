package export_test

import (
	"fmt"
	"html"
	"net/http"
	"strings"
	"testing"

	"attnatlas/web/webtest"
)

// TestFigureOfAllHeads: a figure of the model has a map for each head of each layer, with one
// legend. Its page offers it, and the command in the file reproduces it.
func TestFigureOfAllHeads(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{})
	for sheet, layers := range map[string]int{"heads": 1, "layers": webtest.FakeLayers} {
		for _, preset := range []string{"", "&preset=slide", "&preset=text", "&preset=column"} {
			w := webtest.Get(s, "/export/dense.svg?text=hello+you&map="+sheet+preset)
			text := w.Body.String()
			if w.Code != http.StatusOK || strings.Count(text, ", head ")-strings.Count(text,
				", head 1 of") < layers*webtest.FakeHeads {
				t.Fatalf("%s%s: %d %.200s", sheet, preset, w.Code, text)
			}
			for layer := 1; layer <= layers; layer++ {
				for head := 1; head <= webtest.FakeHeads; head++ {
					if title := fmt.Sprintf("layer %d, head %d<", layer, head); strings.Count(text, title) != 1 {
						t.Errorf("%s%s has %d maps of %s", sheet, preset, strings.Count(text, title), title)
					}
				}
			}
			if n := strings.Count(text, "probability ÷ row maximum<"); n != 1 {
				t.Errorf("%s%s explains its colours %d times", sheet, preset, n)
			}
			if !strings.Contains(html.UnescapeString(text), "map="+sheet) || !strings.Contains(text, "viz render") {
				t.Errorf("%s%s does not say how it is made", sheet, preset)
			}
		}
		page := webtest.Get(s, "/take/dense?text=hello&map="+sheet)
		if text := page.Body.String(); page.Code != http.StatusOK ||
			!strings.Contains(text, `<option value="`+sheet+`" title="" selected`) ||
			!strings.Contains(text, map[string]string{"heads": "dense-heads-layer1.png", "layers": "dense-layers.png"}[sheet]) {
			t.Errorf("the page of %s: %d %.300s", sheet, page.Code, text)
		}
	}
	if page := webtest.Get(s, "/take/fastformer?text=hello&map=beta"); strings.Contains(page.Body.String(),
		`name="map"><option`) || !strings.Contains(page.Body.String(), `type="hidden" name="map" value="beta"`) {
		t.Error("another map than the main one is offered in all heads")
	}
	if w := webtest.Get(s, "/export/dense.csv?text=hello&map=layers"); w.Code != http.StatusNotFound {
		t.Errorf("a table of all heads: %d", w.Code)
	}
}
