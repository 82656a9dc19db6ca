package wall_test

import (
	"net/http"
	"strings"
	"testing"

	"attnatlas/engine"
	"attnatlas/engine/encoder"
	"attnatlas/engine/exhibit"
	"attnatlas/engine/method"
	"attnatlas/engine/trace"
	"attnatlas/web/address"
	"attnatlas/web/webtest"
)

// TestStackByAPI: layers have names, and the maps of the architecture are listed next to them.
func TestStackByAPI(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{Change: webtest.Deep})
	m := webtest.Attend(t, s, "text=hello&m=universal&layer=2").Mechanisms[0]
	if len(m.Layers) != 1 || m.Layers[0].Name != "step 2" || len(m.Maps) != len(encoder.Universal.Views) ||
		m.Maps[0].Name != "running" || m.Maps[0].Axes[0] != trace.Ponder.String() || m.Maps[0].Labels[0][1] != "step 2" {
		t.Errorf("%+v", m)
	}
	m = webtest.Attend(t, s, "text=hello&m=universal&layer=2&map=effective+weights").Mechanisms[0]
	if len(m.Maps) != 1 || len(m.Maps[0].Values) != 2*3 || len(m.Layers[0].Maps) != 0 {
		t.Errorf("%+v", m)
	}
	if m := webtest.Attend(t, s, "text=hello&m=dense").Mechanisms[0]; m.Maps != nil {
		t.Errorf("dense has maps of a stack: %+v", m.Maps)
	}
}

// TestChargesByAPI: the API has the ponder cost of the card.
func TestChargesByAPI(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{})
	if m := webtest.Attend(t, s, "text=hello&m=universal").Mechanisms[0]; len(m.Charges) != 1 ||
		m.Charges[0].Name != "ponder" || m.Charges[0].Value != 0.0025 {
		t.Errorf("%+v", m.Charges)
	}
	if m := webtest.Attend(t, s, "text=hello&m=dense").Mechanisms[0]; m.Charges != nil {
		t.Errorf("dense ponders: %+v", m.Charges)
	}
}

// TestWriterOnTheWall: the card has the written text. Its figures are those of the wall, not of the mechanism's
// page.
func TestWriterOnTheWall(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{Change: func(r *engine.Report) {
		r.Mechanisms[0].Generated.Text = "mat <the>"
	}})
	page := webtest.Get(s, "/?text=the+mat&m=encoder-decoder").Body.String()
	if !strings.Contains(page, " then writes “mat &lt;the&gt;”") || !strings.Contains(page, `id="map-encoder-decoder"`) {
		t.Error("the card says not what was written")
	}
	if m := webtest.Attend(t, s, "text=the+mat&m=encoder-decoder").Mechanisms[0]; m.Written != "mat <the>" ||
		len(m.Layers) != webtest.FakeLayers {
		t.Errorf("%+v", m)
	}
	for query, name := range map[string]string{"mean": "layer1-mean", "3&layer=2": "layer2-3",
		"mean&map=weights&bare=1": "layer1-mean", "mean&show=rollout": "rollout-layer1-all"} {
		w := webtest.Get(s, "/export/encoder-decoder.png?text=the+mat&head="+query)
		if got := w.Header().Get("Content-Disposition"); w.Code != http.StatusOK ||
			got != `inline; filename="encoder-decoder-`+name+`.png"` {
			t.Errorf("%s: %d %s", query, w.Code, got)
		}
	}
}

// TestFiguresOfStackMaps: they belong to no layer and no head, whichever the address names.
func TestFiguresOfStackMaps(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{Change: webtest.Deep})
	for query, name := range map[string]string{"map=effective+weights": "universal-effective-weights.png",
		"map=running&layer=9&head=4": "universal-running.png", "layer=2": "universal-step2-mean.png"} {
		w := webtest.Get(s, "/export/universal.png?text=hello&"+query)
		if w.Code != http.StatusOK || w.Header().Get("Content-Disposition") != `inline; filename="`+name+`"` {
			t.Errorf("%s: %d %s", query, w.Code, w.Header().Get("Content-Disposition"))
		}
	}
	report, _ := (&webtest.FakeEngine{Change: webtest.Deep}).Inspect(t.Context(),
		engine.Request{Text: "hello", Mechanisms: []string{"universal"}, Method: method.Measurement{Name: method.Rollout}})
	for name, want := range map[string]string{
		"remainders": "Universal · remainders R: gate ÷ map maximum", "updates": "Universal · updates n: gate ÷ map maximum",
		"rollout": "Universal · rollout R: share ÷ row maximum", "weights": "Universal · A: probability ÷ row maximum",
	} {
		x, err := exhibit.Select(report, address.Default().Choice).Exhibit("universal", name, 0)
		if err != nil {
			t.Fatal(name, err)
		}
		if got := x.Title().String() + ": " + x.Legend().Text.String(); got != want {
			t.Errorf("%s: %s", name, got)
		}
	}
}
