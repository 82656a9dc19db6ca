package web

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"attnatlas/engine"
	"attnatlas/engine/figure"
	"attnatlas/engine/tensor"
	"attnatlas/engine/trace"
)

// stacked gives a map two rounds of two words: the largest of the first is 1, of the
// second a half.
func stacked(r *engine.Report) {
	axes := []trace.Axis{{Role: trace.Head}, {Role: trace.Round}, {Role: trace.Query}, {Role: trace.Key}}
	for m := range r.Mechanisms {
		for l := range r.Mechanisms[m].Layers {
			maps := r.Mechanisms[m].Layers[l].Maps
			for i := range maps {
				switch maps[i].Name {
				case "weights by round":
					v := tensor.From([]tensor.Elem{1, 0, .25, .75, .5, .25, .5, .5}, 2, 2, 2)
					maps[i] = trace.Map{Name: maps[i].Name, Kind: trace.Gate, Axes: axes, Value: tensor.New(fakeHeads, 2, 2, 2)}
					for h := range fakeHeads {
						copy(maps[i].Value.Sub(h).Data, v.Data)
					}
				case "buckets":
					maps[i] = trace.Map{Name: "buckets", Kind: trace.Category, Value: tensor.New(fakeHeads, 1, 2),
						Axes: []trace.Axis{{Role: trace.Head}, {Role: trace.Round}, {Role: trace.Token}}}
					for h := range fakeHeads {
						maps[i].Value.Set(tensor.Elem(h+3), h, 0, 1)
					}
				case "global query":
					maps[i] = trace.Map{Name: "global query", Kind: trace.Activation, Value: tensor.New(fakeHeads, 3),
						Axes: []trace.Axis{{Role: trace.Head}, {Role: trace.Channel}}}
					for h := range fakeHeads {
						maps[i].Value.Set(tensor.Elem(h+3), h, 1)
					}
				case "order":
					maps[i] = trace.Map{Name: "order", Kind: trace.Category, Value: tensor.From([]tensor.Elem{1, 0}, 1, 2),
						Axes: []trace.Axis{{Role: trace.Round}, {Role: trace.Slot}}}
				}
			}
		}
	}
}

// TestPlanesShareTheirScale: of a stack that is scaled to its largest value, a half is a
// half in every plane.
func TestPlanesShareTheirScale(t *testing.T) {
	s := newServer(t, &fakeEngine{change: stacked})
	for plane, want := range map[int]int{1: 255, 2: 128} {
		img := picture(t, s, fmt.Sprintf("/export/reformer.png?text=a&m=reformer&map=weights+by+round&bare=1&norm=map&plane=%d", plane))
		if got := rgb(img, 0, 0); got != figure.Cividis.Table(figure.Light)[want] {
			t.Errorf("the first cell of plane %d is %v, want entry %d", plane, got, want)
		}
	}
}

func TestOnlyPlanesThatThereAre(t *testing.T) {
	s := newServer(t, &fakeEngine{change: stacked})
	for query, want := range map[string]string{
		"map=weights+by+round&plane=3": "2 planes; there is no plane 3",
		"plane=1":                      "no planes to choose from",
	} {
		w := get(s, "/export/reformer.png?text=a&m=reformer&"+query, "Accept", "application/json")
		if w.Code != 404 || !strings.Contains(w.Body.String(), want) {
			t.Errorf("%s: %d %s", query, w.Code, w.Body)
		}
	}
}

// TestNoMean: a card that shows the mean of the heads says that its buckets, or the features
// of a head, are the first head's, and the API says the same numbers.
func TestNoMean(t *testing.T) {
	s := newServer(t, &fakeEngine{change: stacked})
	for _, c := range []struct{ mechanism, name, query, note, says string }{
		{"reformer", "buckets", "", "(head 1, since classes have no mean)", "0</li>"},
		{"reformer", "buckets", "&head=2", "", "4</li>"},
		{"fastformer", "global query", "", "(head 1, since features of heads have no mean)", ""},
		{"fastformer", "global query", "&head=2", "", ""},
	} {
		w := unfolded(s, "/?text=a&m="+c.mechanism+c.query, c.mechanism)
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
		w := get(s, "/api/v1/attend?text=a&layer=1&head=mean&m="+query)
		if !strings.Contains(w.Body.String(), `"values":`+want) {
			t.Errorf("%s: the API says %s", query, w.Body)
		}
	}
}

// TestScoresAreNoStrips: under the main map stand the shares of the words; the scores that
// they come from are among the other maps.
func TestScoresAreNoStrips(t *testing.T) {
	s := newServer(t, &fakeEngine{change: func(r *engine.Report) {
		for l := range r.Mechanisms[0].Layers {
			for i, m := range r.Mechanisms[0].Layers[l].Maps {
				if strings.HasSuffix(m.Name, " scores") {
					r.Mechanisms[0].Layers[l].Maps[i].Kind = trace.Activation
				}
			}
		}
	}})
	doc := parse(t, unfolded(s, "/?text=a&m=fastformer", "fastformer"))
	var more []string
	for _, f := range all(card(doc, "fastformer"), "figure.view") {
		name, _ := attr(f, "data-map")
		more = append(more, name)
	}
	if !slices.Equal(more, []string{"alpha scores", "beta scores"}) {
		t.Errorf("among the other maps are %q", more)
	}
}
