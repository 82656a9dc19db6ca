package web_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"attnatlas/engine"
	"attnatlas/engine/figure"
	"attnatlas/engine/trace"
	"attnatlas/web/webtest"
)

// TestPlanesShareTheirScale: if a stack is scaled to its largest value, equal values have equal colours in all
// planes.
func TestPlanesShareTheirScale(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{Change: webtest.Stacked})
	for plane, want := range map[int]int{1: 255, 2: 128} {
		img := webtest.Picture(t, s, fmt.Sprintf("/export/reformer.png?text=a&m=reformer&map=weights+by+round&bare=1&norm=map&plane=%d", plane))
		if got := webtest.Rgb(img, 0, 0); got != figure.Cividis.Table(figure.Light)[want] {
			t.Errorf("the first cell of plane %d is %v, want entry %d", plane, got, want)
		}
	}
}

func TestOnlyPlanesThatThereAre(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{Change: webtest.Stacked})
	for query, want := range map[string]string{
		"map=weights+by+round&plane=3": "plane 3 does not exist",
		"plane=1":                      "has only one plane",
	} {
		w := webtest.Get(s, "/export/reformer.png?text=a&m=reformer&"+query, "Accept", "application/json")
		if w.Code != 404 || !strings.Contains(w.Body.String(), want) {
			t.Errorf("%s: %d %s", query, w.Code, w.Body)
		}
	}
}

// TestNoMean: if a card shows the mean of the heads, it says that its buckets, or the features of a head, belong to
// the first head, and the API gives the same numbers.
func TestNoMean(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{Change: webtest.Stacked})
	for _, c := range []struct{ mechanism, name, query, note, says string }{
		{"reformer", "buckets", "", "(head 1, because classes cannot be averaged)", "0</li>"},
		{"reformer", "buckets", "&head=2", "", "4</li>"},
		{"fastformer", "global query", "", "(head 1, because features of heads cannot be averaged)", ""},
		{"fastformer", "global query", "&head=2", "", ""},
	} {
		w := webtest.Unfolded(s, "/?text=a&m="+c.mechanism+c.query, c.mechanism)
		if w.Code != 200 {
			t.Fatalf("%d %s", w.Code, w.Body)
		}
		found := false
		for f := range strings.SplitSeq(w.Body.String(), "<figure ") {
			if !strings.Contains(f, `data-map="`+c.name+`"`) {
				continue
			}
			found = true
			if note := strings.Contains(f, "view-note"); note != (c.note != "") || !strings.Contains(f, c.note) {
				t.Errorf("%s, head%s: the figure should say %q: %s", c.name, c.query, c.note, f)
			}
			if !strings.Contains(f, c.says) {
				t.Errorf("%s, head%s: the legend lacks %s", c.name, c.query, c.says)
			}
		}
		if !found {
			t.Errorf("%s%s: no figure of it", c.name, c.query)
		}
	}
	for query, want := range map[string]string{"reformer&map=buckets": "[0,3]", "fastformer&map=global+query": "[0,3,0]"} {
		w := webtest.Get(s, "/api/v1/attend?text=a&layer=1&head=mean&m="+query)
		if !strings.Contains(w.Body.String(), `"values":`+want) {
			t.Errorf("%s: the API says %s", query, w.Body)
		}
	}
}

// TestScoresAreNoStrips: the strips under the main map show attention weights, and their scores are among the other
// maps.
func TestScoresAreNoStrips(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{Change: func(r *engine.Report) {
		for l := range r.Mechanisms[0].Layers {
			for i, m := range r.Mechanisms[0].Layers[l].Maps {
				if strings.HasSuffix(m.Name, " scores") {
					r.Mechanisms[0].Layers[l].Maps[i].Kind = trace.Activation
				}
			}
		}
	}})
	doc := webtest.Parse(t, webtest.Unfolded(s, "/?text=a&m=fastformer", "fastformer"))
	var more []string
	for _, f := range webtest.All(webtest.Card(doc, "fastformer"), "figure.view") {
		name, _ := webtest.Attr(f, "data-map")
		more = append(more, name)
	}
	if !slices.Equal(more, []string{"alpha scores", "beta scores"}) {
		t.Errorf("among the other maps are %q", more)
	}
}
