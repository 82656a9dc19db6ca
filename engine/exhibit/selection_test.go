package exhibit_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"attnatlas/engine"
	"attnatlas/engine/exhibit"
	"attnatlas/engine/fault"
	"attnatlas/engine/figure"
	"attnatlas/engine/method"
	"attnatlas/engine/predict"
	"attnatlas/engine/tensor"
	"attnatlas/engine/tokenizer"
	"attnatlas/engine/trace"
)

const (
	text  = "one two three"
	n     = 5 // its tokens
	heads = 2
)

var labels = []string{"[CLS]", "one", "two", "three", "[SEP]"}

// report returns a report of these results for the text.
func report(results ...engine.Result) *engine.Report {
	r := &engine.Report{Text: text, Tokens: tokenizer.Default().Encode(text), Mechanisms: results}
	r.LabelAxes()
	return r
}

// result returns the result of a mechanism or architecture with the maps of its layers.
func result(id string, layers ...[]trace.Map) engine.Result {
	res := engine.Result{ID: id, Heads: heads, Layers: numbered("layer", layers...)}
	res.Entry, res.Stack, _ = engine.Find(id)
	return res
}

func numbered(unit string, layers ...[]trace.Map) []engine.Layer {
	var list []engine.Layer
	for i, maps := range layers {
		list = append(list, engine.Layer{Number: i + 1, Name: fmt.Sprintf("%s %d", unit, i+1), Maps: maps})
	}
	return list
}

// over returns a map over axes of these roles. All values are 0 except row 1, column 3 of the first head or plane,
// or position 3 if there are no rows.
func over(name string, k trace.Kind, top float64, roles ...trace.Role) trace.Map {
	m := trace.Map{Name: name, Kind: k}
	shape, at := make([]int, len(roles)), make([]int, len(roles))
	for i, role := range roles {
		m.Axes = append(m.Axes, trace.Axis{Role: role})
		if shape[i] = n; role == trace.Head {
			shape[i] = heads
		} else if i == len(roles)-2 {
			at[i] = 1
		}
	}
	at[len(at)-1] = 3
	m.Value = tensor.New(shape...)
	m.Value.Set(tensor.Elem(top), at...)
	return m
}

// pairs and strip return maps of every head; only the first head's map is not all 0.
func pairs(name string, k trace.Kind, top float64) trace.Map {
	return over(name, k, top, trace.Head, trace.Query, trace.Key)
}

func strip(name string, top float64) trace.Map {
	return over(name, trace.Probability, top, trace.Head, trace.Token)
}

// show selects a map; the empty name stands for the main map.
func show(t *testing.T, s *exhibit.Selection, id, name string) *exhibit.Exhibit {
	t.Helper()
	x, err := s.Exhibit(id, name, 0)
	if err != nil {
		t.Fatalf("%s %s: %v", id, name, err)
	}
	return x
}

// first selects the first head.
func first(r *engine.Report, norm figure.Norm) *exhibit.Selection {
	return exhibit.Select(r, exhibit.Choice{Head: 1, Norm: norm})
}

// TestExhibit: the map of the chosen layer and head, with the text's words on both axes.
func TestExhibit(t *testing.T) {
	one, two := pairs("weights", trace.Probability, 0.8), pairs("weights", trace.Probability, 0.4)
	r := report(result("dense", []trace.Map{one}, []trace.Map{two}))
	for _, c := range []struct {
		choice exhibit.Choice
		want   *tensor.T
		where  string
	}{
		{exhibit.Choice{}, one.HeadMean().Value, "layer 1 · mean of 2 heads"},
		{exhibit.Choice{Layer: 2}, two.HeadMean().Value, "layer 2 · mean of 2 heads"},
		{exhibit.Choice{Layer: 2, Head: 1}, two.Value.Sub(0), "layer 2 · head 1"},
	} {
		x := show(t, exhibit.Select(r, c.choice), "dense", "")
		if !slices.Equal(x.Map.Value.Data, c.want.Data) || x.Name != "weights" ||
			!slices.Equal(x.Map.Axes[0].Labels, labels) || !slices.Equal(x.Map.Axes[1].Labels, labels) {
			t.Errorf("%+v: %+v", c.choice, x.Map)
		}
		if got := x.Subtitle().String(); got != c.where+" · “one two three”" {
			t.Errorf("%+v: %s", c.choice, got)
		}
	}
}

// TestSelectionRefuses: names, layers, heads and planes that do not exist.
func TestSelectionRefuses(t *testing.T) {
	rounds := over("weights by round", trace.Probability, 1, trace.Round, trace.Query, trace.Key)
	r := report(result("dense", []trace.Map{pairs("weights", trace.Probability, 1), rounds}),
		engine.Result{ID: "random", Err: fault.Errorf(fault.Unsupported, "error.no-words")})
	for _, c := range []struct {
		id, name string
		plane    int
		choice   exhibit.Choice
		kind     fault.Kind
		says     string
	}{
		{"telepathy", "", 0, exhibit.Choice{}, fault.NotFound, `no mechanism “telepathy”`},
		{"random", "", 0, exhibit.Choice{}, fault.Unsupported, "no words"},
		{"dense", "alpha", 0, exhibit.Choice{}, fault.NotFound, `Dense synthesizer has no map named “alpha”`},
		{"dense", "", 0, exhibit.Choice{Layer: 2}, fault.NotFound, "layer 2 does not exist: Dense synthesizer has 1 layer"},
		{"dense", "", 0, exhibit.Choice{Head: 3}, fault.NotFound, "head 3 does not exist: Dense synthesizer has 2 heads"},
		{"dense", "weights by round", 0, exhibit.Choice{Head: 3}, fault.NotFound,
			"head 3 does not exist"}, // although it has heads
		{"dense", "", 1, exhibit.Choice{}, fault.NotFound, `the map “weights” has only one plane`},
		{"dense", "weights by round", 6, exhibit.Choice{}, fault.NotFound,
			`plane 6 does not exist: the map “weights by round” has 5 planes`},
		{"dense", method.Influence, 0, exhibit.Choice{}, fault.NotFound, "has no map named"}, // not measured
	} {
		_, err := exhibit.Select(r, c.choice).Exhibit(c.id, c.name, c.plane)
		if err == nil || fault.KindOf(err) != c.kind || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s %s: %v", c.id, c.name, err)
		}
	}
}

// TestPlanes: plane 0 is the first. Each plane is an exhibit of its own, and all share the colour range of the
// whole map if it is scaled to its largest value.
func TestPlanes(t *testing.T) {
	rounds := over("weights by round", trace.Gate, 1, trace.Round, trace.Query, trace.Key)
	rounds.Value.Set(0.5, 1, 1, 3)
	s := first(report(result("reformer", []trace.Map{pairs("weights", trace.Probability, 1), rounds})), figure.PerMap)
	usual := show(t, s, "reformer", "weights by round")
	for plane, want := range map[int]uint8{1: 255, 2: 128} {
		x, err := s.Exhibit("reformer", "weights by round", plane)
		if err != nil || x.Plane != plane || len(x.Planes) != n || x.Planes[1].String() != "round 2" ||
			x.Grid().Index[1*n+3] != want {
			t.Errorf("plane %d: %+v, %v", plane, x, err)
		}
		if (x == usual) != (plane == 1) {
			t.Errorf("plane %d is the first one: %v", plane, x == usual)
		}
	}
}

// TestCard: the shares of the words stand under the main map. Their scores, and the maps of an architecture, are
// among the other maps.
func TestCard(t *testing.T) {
	maps := []trace.Map{pairs("contribution", trace.Weight, 1), strip("alpha", 1), strip("beta", 1)}
	for _, name := range []string{"contribution of all heads", "alpha scores", "beta scores", "global query",
		"global key"} {
		maps = append(maps, over(name, trace.Activation, 1, trace.Head, trace.Token))
	}
	stack := result("universal", []trace.Map{pairs("weights", trace.Probability, 1), pairs("scores", trace.Activation, 1)})
	stack.Maps = []trace.Map{over("remainders", trace.Gate, 1, trace.Token), over("updates", trace.Count, 1, trace.Token)}
	s := first(report(result("fastformer", maps), stack, result("dense")), figure.PerRow)
	for i, want := range []string{
		"contribution | alpha beta | contribution of all heads, alpha scores, beta scores, global query, global key",
		"weights |  | scores, updates, remainders",
	} {
		card, err := s.Card(&s.Report.Mechanisms[i])
		if err != nil {
			t.Fatal(err)
		}
		names := func(between string, list []*exhibit.Exhibit) string {
			var all []string
			for _, x := range list {
				all = append(all, x.Name)
			}
			return strings.Join(all, between)
		}
		if got := card.Main.Name + " | " + names(" ", card.Strips) + " | " + names(", ", card.More); got != want {
			t.Errorf("%s: %s", s.Report.Mechanisms[i].ID, got)
		}
		if got := names(" ", card.Shown()); got != strings.TrimSpace(card.Main.Name+" "+names(" ", card.Strips)) {
			t.Errorf("on screen are %s", got)
		}
	}
	if _, err := s.Card(&s.Report.Mechanisms[2]); fault.KindOf(err) != fault.Internal ||
		!strings.Contains(err.Error(), "neither layers nor an error") {
		t.Errorf("no layers: %v", err)
	}
}

// generation returns the result of an encoder–decoder: maps of two layers, the first with larger values.
func generation() engine.Result {
	part := func(name string, tops ...float64) engine.Part {
		var layers [][]trace.Map
		for _, top := range tops {
			m := pairs("weights", trace.Probability, top)
			if name == engine.EncoderRolloutPart {
				m = over(method.Rollout, trace.Probability, top, trace.Query, trace.Key)
			}
			layers = append(layers, []trace.Map{m})
		}
		return engine.Part{Name: name, Layers: numbered("layer", layers...)}
	}
	res := result("encoder-decoder")
	res.Parts = []engine.Part{part(engine.CrossPart, 0.9, 0.625), part(engine.DecoderPart, 0.9, 0.5),
		part(engine.EncoderPart, 0.95, 0.375), part(engine.EncoderRolloutPart, 0.99, 0.75)}
	res.Layers = res.Parts[2].Layers
	res.Generated = &predict.Generation{Text: "three two one"}
	return res
}
