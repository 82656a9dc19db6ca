package explain_test

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"attnatlas/engine"
	"attnatlas/engine/ad"
	"attnatlas/engine/enginetest"
	"attnatlas/engine/explain"
	"attnatlas/engine/fault"
	"attnatlas/engine/formula"
	"attnatlas/engine/nn"
	"attnatlas/engine/predict"
	"attnatlas/engine/tensor"
	"attnatlas/engine/trace"
)

// order is the order of the equations, for the steps that a mechanism has.
var order = []string{
	"word embeddings", "position embeddings", "embedding", "embedded", "layer input", "mixer input", "q", "k", "products",
	"scores", "masked", "weights", "mixed", "projected",
	"after mixing", "ffn hidden", "ffn output", "layer output", "output", "guess hidden", "guess", "word scores", "word",
}

// TestStepsOfEveryModel: every layer of every model is listed from the embeddings to the end, in
// the order of the equations, each step once. Shapes match axes, formulas can be rendered, and the
// maps of the cards are among the steps.
func TestStepsOfEveryModel(t *testing.T) {
	e := enginetest.EveryModel(t)
	of := engine.Request{Text: "The old cat sat on the [MASK]."}
	for _, id := range append(engine.IDs(), engine.StackIDs()...) {
		if of.Mechanisms = []string{id}; id == "encoder-decoder" { // which has no masked words
			of.Text = "The old cat sat on it."
		}
		rep, err := e.Inspect(context.Background(), of)
		if err != nil || rep.Mechanisms[0].Err != nil {
			t.Fatal(id, err, rep.Mechanisms[0].Err)
		}
		res := rep.Mechanisms[0]
		for _, layer := range res.Layers {
			w, err := explain.New(e).Steps(context.Background(), explain.StepsRequest{Request: of, Layer: layer.Number})
			if err != nil {
				t.Errorf("%s layer %d: %v", id, layer.Number, err)
				continue
			}
			layers := len(res.Layers)
			if id == "encoder-decoder" {
				layers += len(res.Parts[1].Layers)
			}
			if len(w.Layers) != layers || w.List[0].Map.Name != "word embeddings" {
				t.Errorf("%s has layers %v, and begins with %s", id, w.Layers, w.List[0].Key)
			}
			wellFormed(t, id, w)
			for _, m := range layer.Maps {
				i := slices.IndexFunc(w.List, func(s explain.PassStep) bool {
					return s.Map.Name == m.Name &&
						s.Part == w.Layers[layer.Number-1]
				})
				if i < 0 || !alike(w.List[i].Map.Value, m.Value) || !slices.Equal(w.List[i].Map.Roles(), m.Roles()) {
					t.Errorf("%s layer %d: the map %s is not among the steps", id, layer.Number, m.Name)
				}
			}
			endsAsInspected(t, id, w, &res)
		}
	}
}

// alike reports whether arrays are equal up to float32 rounding.
func alike(a, b *tensor.T) bool {
	return slices.Equal(a.Shape, b.Shape) && slices.EqualFunc(a.Data, b.Data, func(x, y tensor.Elem) bool {
		return math.Abs(float64(x-y)) <= 1e-6*max(1, math.Abs(float64(y)))
	})
}

// wellFormed checks each step, and their order.
func wellFormed(t *testing.T, id string, w *explain.Steps) {
	t.Helper()
	keys, last := map[string]bool{}, -1
	for _, s := range w.List {
		if keys[s.Key] {
			t.Errorf("%s: two steps are called %s", id, s.Key)
		}
		keys[s.Key] = true
		if s.Map.Tex == "" || s.Map.Value.Rank() != len(s.Map.Axes) || len(s.Map.Axes) == 0 {
			t.Errorf("%s %s: formula %q, shape %v, axes %v", id, s.Key, s.Map.Tex, s.Map.Value.Shape, s.Map.Roles())
		}
		if _, err := formula.Parse(s.Map.Tex); err != nil {
			t.Errorf("%s %s: %v", id, s.Key, err)
		}
		if at := slices.Index(order, s.Key); at >= 0 {
			if at < last {
				t.Errorf("%s: %s comes too late", id, s.Key)
			}
			last = at
		}
	}
	for first, then := range map[string]string{"products": "scores", "scores": "weights"} {
		if keys[first] && !keys[then] {
			t.Errorf("%s has %s and not %s", id, first, then)
		}
	}
}

// endsAsInspected checks that the last steps are the predictions of Inspect.
func endsAsInspected(t *testing.T, id string, w *explain.Steps, res *engine.Result) {
	t.Helper()
	find := func(name string) *explain.PassStep {
		i := slices.IndexFunc(w.List, func(s explain.PassStep) bool { return s.Map.Name == name })
		if i < 0 {
			return nil
		}
		return &w.List[i]
	}
	for _, p := range res.Predictions {
		if s := find("word"); p.At == w.Word-1 {
			for i, word := range p.Words {
				if s == nil || s.Map.Axes[1].Labels[i] == "" || math.Abs(float64(s.Map.Value.Data[i])-word.P) > 1e-6 {
					t.Errorf("%s guesses %s with %v, the steps say %+v", id, word.Piece, word.P, s)
				}
			}
			if p.Next != w.Next {
				t.Errorf("%s: next is %v", id, w.Next)
			}
		}
	}
	if len(res.Predictions) > 0 && !slices.ContainsFunc(res.Predictions,
		func(p predict.Prediction) bool { return p.At == w.Word-1 }) {
		t.Errorf("%s guesses the word %d, which Inspect does not", id, w.Word)
	}
	for _, g := range res.Guesses {
		s := find(g.Task)
		for _, c := range g.Classes {
			if i := slices.Index(s.Map.Axes[0].Labels, c.Name); i < 0 || math.Abs(float64(s.Map.Value.Data[i])-c.P) > 1e-6 {
				t.Errorf("%s: class %s has %v, the steps say %v", id, c.Name, c.P, s.Map.Value.Data)
			}
		}
	}
	if res.Generated != nil && w.List[len(w.List)-1].Key != "memory" {
		t.Errorf("%s ends with %s", id, w.List[len(w.List)-1].Key)
	}
}

// TestScoresAreScaledProducts: the separately shown products give the scores of the fused
// computation.
func TestScoresAreScaledProducts(t *testing.T) {
	e, count := enginetest.EveryModel(t), 0
	for _, id := range append(engine.IDs(), engine.StackIDs()...) {
		w, err := explain.New(e).Steps(context.Background(),
			explain.StepsRequest{Request: engine.Request{Text: "The old cat sat on it.", Mechanisms: []string{id}}, Layer: 2})
		if err != nil {
			t.Fatal(id, err)
		}
		find := func(key string) trace.Map {
			i := slices.IndexFunc(w.List, func(s explain.PassStep) bool { return s.Key == key })
			if i < 0 {
				return trace.Map{Value: tensor.New(0)}
			}
			return w.List[i].Map
		}
		products, q := find("products"), find("q")
		if products.Value.Len() == 0 {
			continue
		}
		count++
		scores := find("scores").Value.Clone()
		root := math.Sqrt(float64(q.Value.Dim(-1) / w.Heads))
		for i := range scores.Data {
			scores.Data[i] = tensor.Elem(float64(scores.Data[i]) * root)
		}
		for i, x := range products.Value.Data {
			if math.Abs(float64(x-scores.Data[i])) > 2e-6*max(1, math.Abs(float64(x))) {
				t.Errorf("%s: product %v, score times the root %v", id, x, scores.Data[i])
				break
			}
		}
	}
	if count < 8 {
		t.Errorf("only %d have products of queries and keys", count)
	}
}

// TestStepsCanBeAsked: for every traceable step, the number of a cell is the number that Explain
// traces.
func TestStepsCanBeAsked(t *testing.T) {
	e := enginetest.EveryModel(t)
	for _, id := range append(engine.IDs(), append(engine.StackIDs(), "linear, causal")...) {
		of := engine.Request{Text: "The old cat sat on the [MASK].", Mechanisms: []string{id}}
		switch id {
		case "encoder-decoder": // which has no masked words
			of.Text = "The old cat sat on it."
		case "linear, causal":
			of.Mechanisms, of.Mask = []string{"linear"}, nn.Causal
		}
		w, err := explain.New(e).Steps(context.Background(), explain.StepsRequest{Request: of, Layer: 2})
		if err != nil {
			t.Fatal(id, err)
		}
		asked := 0
		for i, s := range w.List {
			v := w.View(i, 2, 1)
			rows, cols := v.Map.Value.Len()/v.Map.Value.Dim(-1), v.Map.Value.Dim(-1)
			if s.Array == 0 {
				continue
			}
			asked++
			row, col := (rows-1)/2, cols-1
			x, err := explain.New(e).Explain(context.Background(),
				explain.Question{Request: of, Array: s.Array, Place: v.Place(row, col), Word: w.Word})
			if err != nil {
				t.Errorf("%s %s: %v", id, s.Key, err)
				continue
			}
			if got, want := x.Steps[0].Value, float64(v.Map.Value.Data[row*cols+col]); math.Abs(got-want) > 1e-6*max(1,
				math.Abs(want)) {
				t.Errorf("%s %s: %v is explained, the step shows %v", id, s.Key, got, want)
			}
			if off := math.Abs(x.Steps[0].Computed - x.Steps[0].Value); x.Steps[0].Origin.Operation != ad.Given &&
				off > 2e-6*x.Steps[0].Size+1e-37 {
				t.Errorf("%s %s: %v is computed as %v", id, s.Key, x.Steps[0].Value, x.Steps[0].Computed)
			}
			if x.Steps[0].Unknown {
				t.Errorf("%s %s: its numbers are not explained", id, s.Key)
			}
		}
		if asked < 14 {
			t.Errorf("%s: only %d steps can be asked", id, asked)
		}
	}
}

// TestStepsMask: under a causal mask, the mask step changes the scores only where it applies.
func TestStepsMask(t *testing.T) {
	e := engine.New()
	of := engine.Request{Text: "The old cat sat.", Mechanisms: []string{"dot-product"}}
	same := func() bool {
		w, err := explain.New(e).Steps(context.Background(), explain.StepsRequest{Request: of, Layer: 1})
		if err != nil {
			t.Fatal(err)
		}
		i := slices.IndexFunc(w.List, func(s explain.PassStep) bool { return s.Key == "masked" })
		if v := w.View(i, 2, 1); v.Map.Reaches(1, 2) != (of.Mask == nn.NoMask) || !v.Map.Reaches(2, 1) {
			t.Error("what the mask forbids is in reach, or what it allows is not")
		}
		return w.List[i].Same
	}
	if !same() {
		t.Error("without a mask the scores are changed")
	}
	if of.Mask = nn.Causal; same() {
		t.Error("a causal mask changes nothing")
	}
}

// TestStepsRefuse: unsupported requests return an error.
func TestStepsRefuse(t *testing.T) {
	e := engine.New()
	ask := func(change func(*explain.StepsRequest)) fault.Kind {
		r := explain.StepsRequest{Request: engine.Request{Text: "The cat.", Mechanisms: []string{"dense"}}, Layer: 1}
		change(&r)
		_, err := explain.New(e).Steps(context.Background(), r)
		if err == nil {
			t.Error("nothing is wrong")
		}
		return fault.KindOf(err)
	}
	for i, c := range []struct {
		change func(*explain.StepsRequest)
		kind   fault.Kind
	}{
		{func(r *explain.StepsRequest) { r.Layer = 3 }, fault.NotFound},
		{func(r *explain.StepsRequest) { r.Layer = 0 }, fault.NotFound},
		{func(r *explain.StepsRequest) { r.Word = 99 }, fault.NotFound},
		{func(r *explain.StepsRequest) { r.Text = "" }, fault.Invalid},
		{func(r *explain.StepsRequest) { r.Text = strings.Repeat("word ", 200) }, fault.Unsupported},
		{func(r *explain.StepsRequest) { r.Mechanisms = []string{"thing"} }, fault.NotFound},
		{func(r *explain.StepsRequest) { r.Mechanisms, r.Mask = []string{"fastformer"}, nn.Causal }, fault.Unsupported},
	} {
		if got := ask(c.change); got != c.kind {
			t.Errorf("case %d: %v, not %v", i, got, c.kind)
		}
	}
}
