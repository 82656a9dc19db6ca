package wall_test

import (
	"encoding/json"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"attnatlas/engine"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
	"attnatlas/engine/trace"
	"attnatlas/web/webtest"
)

// sameBits compares the numbers of an answer with those of the engine: null for numbers that JSON cannot express,
// the same bits for all others.
func sameBits(t *testing.T, name string, got []json.RawMessage, want []tensor.Elem) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d values, want %d", name, len(got), len(want))
	}
	for i, raw := range got {
		if f := float64(want[i]); math.IsNaN(f) || math.IsInf(f, 0) {
			if string(raw) != "null" {
				t.Errorf("%s[%d] is %s, want null for %v", name, i, raw, f)
			}
			continue
		}
		var v tensor.Elem
		if err := json.Unmarshal(raw, &v); err != nil {
			t.Errorf("%s[%d] = %s: %v", name, i, raw, err)
		}
		if math.Float64bits(float64(v)) != math.Float64bits(float64(want[i])) {
			t.Errorf("%s[%d] = %s parses to %v, want %v", name, i, raw, v, want[i])
		}
	}
}

func TestAttendIsTheEngineBitForBit(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{})
	text := "the cat sat"
	a := webtest.Attend(t, s, "text="+url.QueryEscape(text))
	want := webtest.FakeReport(t, text, nn.NoMask, engine.Default[:]...)
	if len(a.Mechanisms) != len(want.Mechanisms) {
		t.Fatalf("%d mechanisms", len(a.Mechanisms))
	}
	for i, m := range a.Mechanisms {
		if m.ID != engine.Default[i] || m.Heads != webtest.FakeHeads || m.Task != "feeling, topic" ||
			len(m.Layers) != webtest.FakeLayers {
			t.Fatalf("mechanism %d: %+v", i, m)
		}
		for j, layer := range m.Layers {
			if layer.Layer != j+1 {
				t.Errorf("layer %d is numbered %d", j, layer.Layer)
			}
			for k, got := range layer.Maps {
				sent := want.Mechanisms[i].Layers[j].Maps[k]
				if got.Name != sent.Name || got.Kind != sent.Kind.String() || !slices.Equal(got.Shape, sent.Value.Shape) {
					t.Errorf("%s %d: got %s %s %v", m.ID, layer.Layer, got.Name, got.Kind, got.Shape)
				}
				sameBits(t, got.Name, got.Values, sent.Value.Data)
			}
		}
	}
	axes := a.Mechanisms[0].Layers[0].Maps[0].Axes
	if !slices.Equal(axes, []string{"head", "query", "key"}) {
		t.Errorf("axes %v", axes)
	}
}

func TestAttendOneLayerOneHead(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{})
	want := webtest.FakeReport(t, "the cat sat", nn.NoMask, "dense").Mechanisms[0]
	weights := func(layer int) trace.Map {
		m, _ := want.Layers[layer-1].Find("weights")
		return m
	}
	second, err := weights(2).Head(2)
	if err != nil {
		t.Fatal(err)
	}
	for query, sent := range map[string]trace.Map{
		"layer=2&head=3": second, "layer=1&head=mean": weights(1).HeadMean(), "layer=2": weights(2),
	} {
		a := webtest.Attend(t, s, "text=the+cat+sat&m=dense&map=weights&"+query)
		layers := a.Mechanisms[0].Layers
		if len(layers) != 1 || len(layers[0].Maps) != 1 {
			t.Fatalf("%s: %+v", query, layers)
		}
		got := layers[0].Maps[0]
		if !slices.Equal(got.Shape, sent.Value.Shape) || len(got.Axes) != len(got.Shape) {
			t.Errorf("%s: shape %v axes %v, want %v", query, got.Shape, got.Axes, sent.Value.Shape)
		}
		sameBits(t, query, got.Values, sent.Value.Data)
	}
}

func TestAttendErrorsOfOneMechanism(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{})
	a := webtest.Attend(t, s, "text=hello&m=dense,nonsense,fastformer&mask=causal")
	if len(a.Mechanisms) != 3 || a.Mechanisms[0].Error != "" || len(a.Mechanisms[0].Layers) != webtest.FakeLayers {
		t.Fatalf("dense: %+v", a.Mechanisms)
	}
	for _, m := range a.Mechanisms[1:] {
		if m.Error == "" || m.Layers != nil {
			t.Errorf("%s: error %q, %d layers", m.ID, m.Error, len(m.Layers))
		}
	}
	w := webtest.Get(s, "/api/v1/attend?text=hello&layer=99")
	if !strings.Contains(w.Body.String(), "ayer 99 does not exist") {
		t.Errorf("layer 99: %s", w.Body)
	}
}

func TestAttendTokensAndReach(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{})
	text := "Hi 🙂 [MASK]"
	a := webtest.Attend(t, s, "text="+url.QueryEscape(text)+"&m=dense&mask=causal")
	want := webtest.FakeReport(t, text, nn.Causal, "dense")
	if a.Text != text || len(a.Tokens) != len(want.Tokens) {
		t.Fatalf("%+v", a.Tokens)
	}
	for i, got := range a.Tokens {
		sent := want.Tokens[i]
		if got.Piece != sent.Piece || got.Start != sent.Start || got.End != sent.End || got.Label != sent.Label() ||
			got.Special != sent.IsSpecial() {
			t.Errorf("token %d: %+v, want %+v", i, got, sent)
		}
	}
	if first, last := a.Tokens[0], a.Tokens[len(a.Tokens)-1]; !first.Special || first.Start != first.End ||
		last.Start != len(text) {
		t.Errorf("special tokens %+v %+v", first, last)
	}
	reach, n := a.Mechanisms[0].Layers[0].Maps[0].Reach, len(a.Tokens)
	if len(reach) != n*n {
		t.Fatalf("reach has %d cells of %d", len(reach), n*n)
	}
	for i := range reach {
		if (reach[i] == '1') != (i%n <= i/n) {
			t.Fatalf("cell %d, %d is %c", i/n, i%n, reach[i])
		}
	}
}

// TestNotesByAPI: the API has the notes that a card has about a text's maps.
func TestNotesByAPI(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{})
	for id, want := range map[string]string{"factorized-dense": "Up to 8 tokens, only the first of the 8 columns of A has an effect", "gpt2": "Always causal", "dense": `"id":"dense","task"`} {
		body := webtest.Get(s, "/api/v1/attend?text=the&m="+id).Body.String()
		if !strings.Contains(body, want) || strings.Contains(body, `"note"`) == (id == "dense") {
			t.Errorf("%s: %.300s", id, body)
		}
	}
}

// TestUnknownMaps: a name that belongs to no map is an error that lists the existing maps, unless a mechanism
// without a result could have it.
func TestUnknownMaps(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{})
	for query, want := range map[string]string{
		"m=dense&map=weight":                        `No map named “weight”. Dense synthesizer has weights, scores, logits, hidden, awkward.`,
		"m=dense,fastformer&map=weights,nothing":    `No map named “nothing”. Dense synthesizer has weights, scores, logits, hidden, awkward; Fastformer has contribution, alpha, `,
		"m=universal&map=halts":                     `running`,
		"m=dense,fastformer&map=alpha":              "",
		"m=dense,linformer&mask=causal&map=nothing": "",
	} {
		w := webtest.Get(s, "/api/v1/attend?text=the&"+query)
		if want == "" && w.Code != http.StatusOK || want != "" &&
			(w.Code != http.StatusNotFound || !strings.Contains(w.Body.String(), want)) {
			t.Errorf("%s: %d %.300s", query, w.Code, w.Body)
		}
	}
}
