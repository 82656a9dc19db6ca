package wall_test

import (
	"context"
	"encoding/json"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"time"

	"attnatlas/engine"
	"attnatlas/engine/exhibit"
	"attnatlas/engine/method"
	"attnatlas/engine/nn"
	"attnatlas/web/address"
	"attnatlas/web/api"
	"attnatlas/web/webtest"
)

// TestInfluenceOnTheWall: every card shows the influence of the chosen layer, and nothing of its own map.
func TestInfluenceOnTheWall(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{})
	w := webtest.Get(s, "/?show=influence&layer=2&pin=2.3&m=dense,fastformer,shuffle-exchange")
	page := w.Body.String()
	if w.Code != http.StatusOK {
		t.Fatal(w.Code, page)
	}
	for text, count := range map[string]int{
		`data-map="influence"`: 3, `class="strip"`: 0, `‖∂yᵢ/∂xⱼ‖, layer 2, all heads together, 19×19; largest: `: 3,
		"in this layer’s token mixer, all heads together":               6,
		"rows have no fixed sum: each cell is the norm of a derivative": 3, "Σ = 1": 0, ">entropy<": 0, ">mean distance<": 3,
		">diagonal<":                   3,
		`data-verb="is influenced by"`: 1, `<span class="verb">is influenced by</span>`: 1, "-influence-layer2-all.png": 3,
		`<option value="influence" title="How much each output changes when an input changes; defined the same way for every mechanism" selected>`: 1,
	} {
		if got := strings.Count(page, text); got != count {
			t.Errorf("%q is there %d times, not %d", text, got, count)
		}
	}
	report, err := (&webtest.FakeEngine{}).Inspect(t.Context(),
		engine.Request{Text: address.DefaultText, Mechanisms: []string{"dense"},
			Method: method.Measurement{Name: method.Influence, Layer: 2}})
	if err != nil {
		t.Fatal(err)
	}
	m, _ := report.Mechanisms[0].Layers[1].Find(method.Influence)
	if want := `title="` + exhibit.Exact(m.Value.At(1, 2)) + `"`; !strings.Contains(page, want) {
		t.Errorf("the read-out lacks %s", want)
	}
	if maps := webtest.Get(s, "/?m=dense").Body.String(); strings.Contains(maps, `data-map="influence"`) ||
		!strings.Contains(maps, `data-verb="attends to"`) {
		t.Error("the wall of maps shows influence")
	}
}

// TestInfluenceTellsItsError: the API says how influence was estimated, and how large the error can be.
func TestInfluenceTellsItsError(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{})
	for query, want := range map[string]*api.AttendEstimate{
		"m=shuffle-exchange&map=influence":         {Directions: 8, Of: 128, Error: 0.0625},
		"m=shuffle-exchange&map=influence&exact=1": nil, "m=dense&map=influence": nil,
	} {
		var got api.Attend
		if err := json.Unmarshal(webtest.Get(s, "/api/v1/attend?text=hello&"+query).Body.Bytes(), &got); err != nil ||
			!reflect.DeepEqual(got.Mechanisms[0].Estimate, want) {
			t.Errorf("%s: %v, %+v", query, err, got.Mechanisms[0].Estimate)
		}
	}
}

// TestInfluenceOfALayerThatIsNot: the page reports the layer and shows the first one.
func TestInfluenceOfALayerThatIsNot(t *testing.T) {
	w := webtest.Get(webtest.NewServer(t, &webtest.FakeEngine{}), "/?show=influence&layer=9&m=dense")
	if page := w.Body.String(); w.Code != http.StatusNotFound || !strings.Contains(page, "No layer 9") ||
		!strings.Contains(page, `data-map="influence"`) {
		t.Errorf("%d: no message, or no map", w.Code)
	}
}

// TestRefusedMaskHasNoInfluence: a mechanism that is not defined for a mask has no influence either.
func TestRefusedMaskHasNoInfluence(t *testing.T) {
	page := webtest.Get(webtest.NewServer(t, &webtest.FakeEngine{}), "/?show=influence&mask=causal").Body.String()
	if !strings.Contains(page, "A causal mask is not defined for Fastformer") ||
		strings.Count(page, `data-map="influence"`) != 3 {
		t.Error("a refused card is not as it should be")
	}
}

// TestInfluenceByAPI: three forms of the request have the same answer.
func TestInfluenceByAPI(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{})
	for _, query := range []string{"show=influence", "map=influence", "map=influence&show=maps",
		"show=influence&layer=1"} {
		a := webtest.Attend(t, s, "text=the+cat&m=dense&mask=causal&"+query)
		layers := a.Mechanisms[0].Layers
		if len(layers) != 1 || layers[0].Layer != 1 || len(layers[0].Maps) != 1 {
			t.Fatalf("%s: %+v", query, layers)
		}
		m := layers[0].Maps[0]
		if m.Name != method.Influence || m.Kind != "weight" || strings.Join(m.Axes, ",") != "query,key" ||
			m.Reach != "1000110011101111" {
			t.Errorf("%s: %+v", query, m)
		}
		report, err := (&webtest.FakeEngine{}).Inspect(t.Context(),
			engine.Request{Text: "the cat", Mechanisms: []string{"dense"}, Mask: nn.Causal,
				Method: method.Measurement{Name: method.Influence, Layer: 1}})
		if err != nil {
			t.Fatal(err)
		}
		want, _ := report.Mechanisms[0].Layers[0].Find(method.Influence)
		for i, raw := range m.Values {
			var v float64
			if err := json.Unmarshal(raw, &v); err != nil || float32(v) != float32(want.Value.Data[i]) {
				t.Fatalf("%s: value %d is %s, not %v", query, i, raw, want.Value.Data[i])
			}
		}
	}
	both := webtest.Attend(t, s, "text=the+cat&m=dense&map=weights,influence&head=2&layer=2").Mechanisms[0].Layers
	if len(both) != 1 || both[0].Layer != 2 || len(both[0].Maps) != 2 {
		t.Errorf("%+v", both)
	}
	if none := webtest.Attend(t, s, "text=the+cat&m=dense&map=weights&show=influence").Mechanisms[0].Layers; len(none) != 2 || len(none[0].Maps) != 1 {
		t.Errorf("%+v", none)
	}
}

// TestOnlyWhoAsksMeasures: pages and figures of maps never request influence.
func TestOnlyWhoAsksMeasures(t *testing.T) {
	var asked []int
	f := &webtest.FakeEngine{Before: func(_ context.Context, r engine.Request) error {
		asked = append(asked, webtest.LayerOf(r, method.Influence))
		return nil
	}}
	for path, want := range map[string]int{
		"/?m=dense": 0, "/?m=dense&show=maps": 0, "/?m=dense&show=influence": 1, "/?m=dense&show=influence&layer=2": 2,
		"/export/dense.png": 0, "/export/dense.png?map=influence&layer=2": 2, "/export/dense.png?show=influence": 1,
		"/export/dense.png?show=influence&map=weights": 0, "/api/v1/attend?text=a&m=dense": 0,
		"/api/v1/attend?text=a&map=influence&m=dense": 1,
	} {
		asked = nil
		if w := webtest.Get(webtest.NewServer(t, f), path); w.Code != http.StatusOK || len(asked) != 1 || asked[0] != want {
			t.Errorf("%s: status %d, asked for %v, not %d", path, w.Code, asked, want)
		}
	}
}

// TestInfluenceFigure: the figure is the same with and without the name of the map.
func TestInfluenceFigure(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{})
	a, b := webtest.Get(s, "/export/dense.png?show=influence"), webtest.Get(s, "/export/dense.png?map=influence")
	if a.Code != http.StatusOK || a.Body.String() != b.Body.String() ||
		a.Body.String() == webtest.Get(s, "/export/dense.png").Body.String() {
		t.Error("the figure of influence differs by how it is asked for, or is that of weights")
	}
}

// TestWhoLeavesStopsInfluence: an aborted request ends the engine's work.
func TestWhoLeavesStopsInfluence(t *testing.T) {
	started, stopped := make(chan struct{}), make(chan struct{})
	f := &webtest.FakeEngine{Before: func(ctx context.Context, _ engine.Request) error {
		close(started)
		<-ctx.Done()
		close(stopped)
		return ctx.Err()
	}}
	ctx, leave := context.WithCancel(t.Context())
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://localhost/?show=influence&m=dense", nil)
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() { webtest.Record(webtest.NewServer(t, f), r); close(ended) }()
	<-started
	leave()
	for _, c := range []chan struct{}{stopped, ended} {
		select {
		case <-c:
		case <-time.After(time.Minute):
			t.Fatal("the work goes on")
		}
	}
}
