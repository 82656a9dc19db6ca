package exhibit_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"attnatlas/engine"
	"attnatlas/engine/exhibit"
	"attnatlas/engine/figure"
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

// report is one of results for the text.
func report(results ...engine.Result) *engine.Report {
	r := &engine.Report{Text: text, Tokens: tokenizer.Default().Encode(text), Mechanisms: results}
	r.LabelAxes()
	return r
}

// result is what a mechanism or stack answers: the maps of its layers.
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

// over is a map over axes of the roles, 0 but for the value of row 1 and column 3 of the first
// head or plane, or of place 3 where there are no rows.
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

// pairs and strip are maps of every head, of which the first one's are not all 0.
func pairs(name string, k trace.Kind, top float64) trace.Map {
	return over(name, k, top, trace.Head, trace.Query, trace.Key)
}

func strip(name string, top float64) trace.Map {
	return over(name, trace.Probability, top, trace.Head, trace.Token)
}

// show selects a map of the first head; the empty name is that of the main map.
func show(t *testing.T, s *exhibit.Selection, id, name string) *exhibit.Exhibit {
	t.Helper()
	x, err := s.Exhibit(id, name, 0)
	if err != nil {
		t.Fatalf("%s %s: %v", id, name, err)
	}
	return x
}

// first selects from the first head.
func first(r *engine.Report, norm figure.Norm) *exhibit.Selection {
	return exhibit.Select(r, exhibit.Choice{Head: 1, Norm: norm})
}

// TestExhibit: of the layer and head that are chosen, with the text's words on both axes.
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
		if !slices.Equal(x.Map.Value.Data, c.want.Data) || x.Name != "weights" || !slices.Equal(x.Map.Axes[0].Labels, labels) || !slices.Equal(x.Map.Axes[1].Labels, labels) {
			t.Errorf("%+v: %+v", c.choice, x.Map)
		}
		if got := x.Subtitle().String(); got != c.where+" · “one two three”" {
			t.Errorf("%+v: %s", c.choice, got)
		}
	}
}

// TestSelectionRefuses: what there is not, by name, layer, head and plane.
func TestSelectionRefuses(t *testing.T) {
	rounds := over("weights by round", trace.Probability, 1, trace.Round, trace.Query, trace.Key)
	r := report(result("dense", []trace.Map{pairs("weights", trace.Probability, 1), rounds}),
		engine.Result{ID: "random", Err: engine.Errorf(engine.Unsupported, "error.no-words")})
	for _, c := range []struct {
		id, name string
		plane    int
		choice   exhibit.Choice
		kind     engine.Kind
		says     string
	}{
		{"telepathy", "", 0, exhibit.Choice{}, engine.NotFound, `there is no mechanism "telepathy"`},
		{"random", "", 0, exhibit.Choice{}, engine.Unsupported, "no words"},
		{"dense", "alpha", 0, exhibit.Choice{}, engine.NotFound, `Dense synthesizer shows no map "alpha"`},
		{"dense", "", 0, exhibit.Choice{Layer: 2}, engine.NotFound, "Dense synthesizer has 1 layer; there is no layer 2"},
		{"dense", "", 0, exhibit.Choice{Head: 3}, engine.NotFound, "Dense synthesizer has 2 heads; there is no head 3"},
		{"dense", "weights by round", 0, exhibit.Choice{Head: 3}, engine.NotFound, "there is no head 3"}, // though it has none
		{"dense", "", 1, exhibit.Choice{}, engine.NotFound, `the map "weights" has no planes to choose from`},
		{"dense", "weights by round", 6, exhibit.Choice{}, engine.NotFound, `the map "weights by round" has 5 planes; there is no plane 6`},
		{"dense", engine.Influence, 0, exhibit.Choice{}, engine.NotFound, "shows no map"}, // nobody measured it
	} {
		_, err := exhibit.Select(r, c.choice).Exhibit(c.id, c.name, c.plane)
		if err == nil || engine.KindOf(err) != c.kind || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s %s: %v", c.id, c.name, err)
		}
	}
}

// TestPlanes: 0 is the first, each is an exhibit of its own, and all share the scale of the
// whole map where it is scaled to its largest value.
func TestPlanes(t *testing.T) {
	rounds := over("weights by round", trace.Gate, 1, trace.Round, trace.Query, trace.Key)
	rounds.Value.Set(0.5, 1, 1, 3)
	s := first(report(result("reformer", []trace.Map{pairs("weights", trace.Probability, 1), rounds})), figure.PerMap)
	usual := show(t, s, "reformer", "weights by round")
	for plane, want := range map[int]uint8{1: 255, 2: 128} {
		x, err := s.Exhibit("reformer", "weights by round", plane)
		if err != nil || x.Plane != plane || len(x.Planes) != n || x.Planes[1].String() != "round 2" || x.Grid().Index[1*n+3] != want {
			t.Errorf("plane %d: %+v, %v", plane, x, err)
		}
		if (x == usual) != (plane == 1) {
			t.Errorf("plane %d is the first one: %v", plane, x == usual)
		}
	}
}

// TestCard: under the main map stand the shares of the words; what they come from, and the
// maps of a stack, are among the other maps.
func TestCard(t *testing.T) {
	maps := []trace.Map{pairs("contribution", trace.Weight, 1), strip("alpha", 1), strip("beta", 1)}
	for _, name := range []string{"contribution of all heads", "alpha scores", "beta scores", "global query", "global key"} {
		maps = append(maps, over(name, trace.Activation, 1, trace.Head, trace.Token))
	}
	stack := result("universal", []trace.Map{pairs("weights", trace.Probability, 1), pairs("scores", trace.Activation, 1)})
	stack.Maps = []trace.Map{over("remainders", trace.Gate, 1, trace.Token), over("updates", trace.Count, 1, trace.Token)}
	s := first(report(result("fastformer", maps), stack, result("dense")), figure.PerRow)
	for i, want := range []string{
		"contribution | alpha beta | contribution of all heads, alpha scores, beta scores, global query, global key", "weights |  | scores, updates, remainders",
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
	if _, err := s.Card(&s.Report.Mechanisms[2]); engine.KindOf(err) != engine.Internal || !strings.Contains(err.Error(), "neither layers nor an error") {
		t.Errorf("no layers: %v", err)
	}
}

// TestSharedScale: the same weight has the same colour on every card, whichever is asked for.
func TestSharedScale(t *testing.T) {
	for _, c := range []struct{ dense, random, want float64 }{{0.25, 0.75, 0.75}, {0.5, 0.25, 0.5}, {0, 0, 1}} {
		s := first(report(result("dense", []trace.Map{pairs("weights", trace.Probability, c.dense)}), result("random", []trace.Map{pairs("weights", trace.Probability, c.random)})), figure.Shared)
		for _, id := range []string{"dense", "random"} {
			if x := show(t, s, id, ""); x.Norm() != figure.Shared || x.Figure.SharedMax != c.want {
				t.Errorf("%s of %v: the scale ends at %v", id, c, x.Figure.SharedMax)
			}
		}
	}
}

// TestSharedIsOfOneUnitOnScreen: another layer, another head, the maps behind “More maps” and
// values that are something else have no part in the scale; strips and cells in reach have.
func TestSharedIsOfOneUnitOnScreen(t *testing.T) {
	causal := pairs("weights", trace.Probability, 0.9) // the cell of which is out of reach
	causal.Value.Set(0.3, 0, 3, 1)
	causal.Reach = func(q, k int) bool { return k <= q }
	two := pairs("weights", trace.Probability, 0.25)
	two.Value.Set(1, 1, 0, 0) // of the other head
	r := report(
		result("dense", []trace.Map{causal, pairs("scores", trace.Activation, 7), pairs("logits", trace.Probability, 1)}, []trace.Map{pairs("weights", trace.Probability, 1)}),
		result("random", []trace.Map{two}),
		result("fastformer", []trace.Map{pairs("contribution", trace.Weight, 5), strip("alpha", 0.5), over("beta", trace.Activation, 9, trace.Head, trace.Token), pairs("contribution of all heads", trace.Weight, 8)}),
		engine.Result{ID: "linear", Err: engine.Errorf(engine.Unsupported, "error.no-words")},
	)
	s := first(r, figure.Shared)
	for name, want := range map[string]float64{
		"dense weights": 0.5, "random weights": 0.5, "fastformer alpha": 0.5, "fastformer contribution": 5, "fastformer contribution of all heads": 8, "dense scores": 7, "dense logits": 1,
	} {
		id, name, _ := strings.Cut(name, " ")
		if x := show(t, s, id, name); x.Figure.SharedMax != want {
			t.Errorf("%s %s: the scale ends at %v, not %v", id, name, x.Figure.SharedMax, want)
		}
	}
	for _, name := range []string{engine.Influence, engine.Rollout} {
		for i := range r.Mechanisms[:3] {
			layer := &r.Mechanisms[i].Layers[0]
			layer.Maps = append(layer.Maps, over(name, trace.Weight, float64(20+i), trace.Query, trace.Key))
		}
		s := exhibit.Select(r, exhibit.Choice{Head: 1, Norm: figure.Shared, Show: exhibit.ShowOf(name)})
		if x := show(t, s, "dense", ""); x.Name != name || x.Figure.SharedMax != 22 {
			t.Errorf("%s: %s ends at %v", name, x.Name, x.Figure.SharedMax)
		}
		if x := show(t, s, "fastformer", "contribution"); x.Figure.SharedMax != 5 {
			t.Errorf("beside %s a weight ends at %v", name, x.Figure.SharedMax)
		}
	}
}

// TestSharedScaleOfParts: of a model of two stacks all parts are on screen, of the last layer
// where none is chosen; rollout is of a unit of its own.
func TestSharedScaleOfParts(t *testing.T) {
	s := first(report(generation()), figure.Shared)
	for part, want := range map[string]float64{engine.CrossPart: 0.625, engine.DecoderPart: 0.625, engine.EncoderPart: 0.625, engine.EncoderRolloutPart: 0.75} {
		if x := show(t, s, "encoder-decoder", part); x.Layer.Number != 2 || x.Figure.SharedMax != want {
			t.Errorf("%s, layer %d: the scale ends at %v, not %v", part, x.Layer.Number, x.Figure.SharedMax, want)
		}
	}
}

// generation is what an encoder–decoder answers: maps of two layers, of which the first have
// larger values.
func generation() engine.Result {
	part := func(name string, tops ...float64) engine.Part {
		var layers [][]trace.Map
		for _, top := range tops {
			m := pairs("weights", trace.Probability, top)
			if name == engine.EncoderRolloutPart {
				m = over(engine.Rollout, trace.Probability, top, trace.Query, trace.Key)
			}
			layers = append(layers, []trace.Map{m})
		}
		return engine.Part{Name: name, Layers: numbered("layer", layers...)}
	}
	res := result("encoder-decoder")
	res.Parts = []engine.Part{part(engine.CrossPart, 0.9, 0.625), part(engine.DecoderPart, 0.9, 0.5), part(engine.EncoderPart, 0.95, 0.375), part(engine.EncoderRolloutPart, 0.99, 0.75)}
	res.Layers = res.Parts[2].Layers
	res.Generated = &engine.Generation{Text: "three two one"}
	return res
}

// TestSelectedOnce: however many cards share a scale and however often a map is asked for, it
// is found and normalised once for each request.
func TestSelectedOnce(t *testing.T) {
	looked := func(cards int) int {
		count := 0
		var results []engine.Result
		for i := range cards {
			m := pairs("weights", trace.Probability, 0.5)
			m.Reach = func(q, k int) bool {
				if i == 0 {
					count++
				}
				return true
			}
			results = append(results, result(engine.IDs()[i], []trace.Map{m}))
		}
		s := first(report(results...), figure.Shared)
		for range 3 {
			for i := range results {
				show(t, s, results[i].ID, "")
			}
		}
		return count
	}
	one, many := looked(1), looked(8)
	if one == 0 || many != one {
		t.Errorf("%d cells of a map are looked at when it is alone, %d beside seven others", one, many)
	}
	s := first(report(result("dense", []trace.Map{pairs("weights", trace.Probability, 1)})), figure.PerRow)
	if show(t, s, "dense", "weights") != show(t, s, "dense", "") {
		t.Error("a map is normalised again under its name")
	}
}

// TestFoundOnce: the mean of the heads is taken when a map is found. Who asks later, for
// another plane or after the scale was measured, gets the same, whatever the report says now.
func TestFoundOnce(t *testing.T) {
	other, rounds := pairs("weights", trace.Probability, 1), over("weights by round", trace.Gate, 1, trace.Head, trace.Round, trace.Query, trace.Key)
	r := report(result("dense", []trace.Map{pairs("weights", trace.Probability, 1)}), result("random", []trace.Map{other}), result("reformer", []trace.Map{rounds, pairs("weights", trace.Probability, 1)}))
	s := exhibit.Select(r, exhibit.Choice{Norm: figure.Shared})
	show(t, s, "dense", "")
	show(t, s, "reformer", "weights by round")
	clear(other.Value.Data)
	for i := range rounds.Value.Data {
		rounds.Value.Data[i] = 9
	}
	second, err := s.Exhibit("reformer", "weights by round", 2)
	if err != nil || second.Map.Value.At(1, 3) != 0 || show(t, s, "random", "").Map.Value.At(1, 3) != 0.5 {
		t.Errorf("a map is found again: %v", err)
	}
}
