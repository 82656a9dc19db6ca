package explain_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"attnatlas/engine"
	"attnatlas/engine/ad"
	"attnatlas/engine/attention"
	"attnatlas/engine/enginetest"
	"attnatlas/engine/explain"
	"attnatlas/engine/fault"
	"attnatlas/engine/trace"
)

// unexplained reports whether the numbers of a map cannot be traced.
func unexplained(id, name string) bool {
	entry, _, _ := engine.Find(id)
	i := slices.IndexFunc(entry.Views, func(v attention.View) bool { return v.Map == name })
	return i >= 0 && entry.Views[i].Apart
}

// TestExplainEveryMap traces numbers in every map of every model. The explained number is the
// number of the map, and can be recomputed from its operands.
func TestExplainEveryMap(t *testing.T) {
	e, r := enginetest.EveryModel(t), rand.New(rand.NewPCG(1, 2))
	const text = "The old cat sat on it."
	for _, id := range append(engine.IDs(), engine.StackIDs()...) {
		rep, err := e.Inspect(context.Background(), engine.Request{Text: text, Mechanisms: []string{id}})
		if err != nil || rep.Mechanisms[0].Err != nil {
			t.Fatal(id, err, rep.Mechanisms[0].Err)
		}
		for _, layer := range rep.Mechanisms[0].Layers {
			for _, m := range layer.Maps {
				explainsMap(t, e, engine.Request{Text: text, Mechanisms: []string{id}}, layer.Number, m, r)
			}
		}
	}
}

func explainsMap(t *testing.T, e *engine.Engine, of engine.Request, layer int, m trace.Map, r *rand.Rand) {
	t.Helper()
	name := of.Mechanisms[0] + " " + m.Name
	for range 3 {
		var at []int
		for _, n := range m.Value.Shape {
			at = append(at, r.IntN(n))
		}
		x, err := explain.New(e).Explain(context.Background(),
			explain.Question{Request: of, Layer: layer, Map: m.Name, At: at})
		var wrong *fault.Error
		if errors.As(err, &wrong) && wrong.Kind == fault.Unsupported && unexplained(of.Mechanisms[0], m.Name) {
			return
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
			return
		}
		if got, want := x.Steps[0].Value, float64(m.Value.At(at...)); math.Abs(got-want) > 2e-6*max(math.Abs(want), 1e-3) {
			t.Errorf("%s%v: %v is explained, the map has %v", name, at, got, want)
		}
		if first := x.Steps[0]; first.Array.Name != m.Name || !slices.Equal(first.At, at) {
			t.Errorf("%s%v is called %q%v", name, at, first.Array.Name, first.At)
		}
		for _, s := range x.Steps {
			if s.Unknown {
				t.Errorf("%s: array %d %s %v is not explained", name, s.Array.Number, s.Array.Name, s.Array.Shape)
				return
			}
			if off := math.Abs(s.Computed - s.Value); s.Origin.Operation != ad.Given && !(off <= 2e-6*s.Size+1e-34) {
				t.Errorf("%s%v: %v of %s is computed as %v (%s, size %v)", name, at, s.Value, s.Array.Name, s.Computed,
					s.Origin.Operation, s.Size)
				return
			}
		}
	}
	if unexplained(of.Mechanisms[0], m.Name) {
		t.Errorf("%s is explained: its view need not be apart", name)
	}
}

// TestExplainFollows: a weight of dot product leads via its score to the query and the key, and
// these to the layer's input. Each operand can be traced in turn and has the same value.
func TestExplainFollows(t *testing.T) {
	e := engine.New()
	of := engine.Request{Text: "The old cat sat.", Mechanisms: []string{"dot-product"}}
	x, err := explain.New(e).Explain(context.Background(),
		explain.Question{Request: of, Layer: 2, Map: "weights", At: []int{1, 2, 3}})
	if err != nil {
		t.Fatal(err)
	}
	var chain []string
	for _, s := range x.Steps {
		chain = append(chain, s.Array.Name+"="+string(s.Origin.Operation))
	}
	if got := strings.Join(chain, " "); got != "weights=softmax scores=sum" {
		t.Fatal(got)
	}
	score := x.Steps[1]
	if len(score.X) != 1 || score.X[0].Array.Name != "q" || score.Y[0].Array.Name != "k" ||
		!slices.Equal(score.At, []int{1, 2, 3}) || len(score.X[0].Values) != 32 {
		t.Fatalf("%+v", score)
	}
	strip := score.X[0]
	next, err := explain.New(e).Explain(context.Background(),
		explain.Question{Request: of, Array: strip.Array.Number, Place: strip.Places[5]})
	if err != nil || next.Steps[0].Value != strip.Values[5] || !next.Steps[0].Y[0].Array.Param ||
		!strings.HasPrefix(next.Steps[0].Y[0].Array.Name, "layer 2/mixer/") || !next.Steps[0].Y[0].Array.Given {
		t.Fatalf("%v %+v", err, next.Steps[0].Y[0].Array)
	}
	for _, q := range []explain.Question{
		{Layer: 3, Map: "weights", At: []int{0, 0, 0}}, {Layer: 1, Map: "thing", At: []int{0}},
		{Layer: 1, Map: "weights", At: []int{0, 0}}, {Layer: 1, Map: "weights", At: []int{0, 0, 99}},
		{Array: 1 << 30}, {Array: 1, Place: -1},
	} {
		q.Request = of
		if _, err := explain.New(e).Explain(context.Background(), q); fault.KindOf(err) != fault.NotFound {
			t.Errorf("%+v: %v", q, err)
		}
	}
}

// TestExplainEndsWithItsRequest: the computation stops when the request is cancelled.
func TestExplainEndsWithItsRequest(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	e := engine.New()
	q := explain.Question{Request: engine.Request{Text: "The old cat sat.", Mechanisms: []string{"dense"}}, Layer: 1,
		Map: "weights", At: []int{0, 0, 0}}
	if _, err := explain.New(e).Explain(ctx, q); err != nil {
		t.Fatal(err)
	}
	cancel()
	if _, err := explain.New(e).Explain(ctx, q); fault.KindOf(err) != fault.Busy {
		t.Errorf("%v", err)
	}
}

// TestExplainEveryArray: for every array of a pass, the origin of its numbers is recorded or marked
// as unknown. Recomputed activations are unknown, without an error.
func TestExplainEveryArray(t *testing.T) {
	e := enginetest.EveryModel(t)
	for _, id := range append(engine.IDs(), engine.StackIDs()...) {
		unknown := 0
		for array := 1; ; array++ {
			x, err := explain.New(e).Explain(context.Background(),
				explain.Question{Request: engine.Request{Text: "The cat.", Mechanisms: []string{id}}, Array: array})
			if fault.KindOf(err) == fault.NotFound && array > 60 {
				break
			}
			if err != nil {
				t.Fatal(id, array, err)
			}
			if x.Steps[len(x.Steps)-1].Unknown {
				unknown++
			}
		}
		if (unknown > 0) != (id == "reversible") {
			t.Errorf("%s: %d arrays are not told", id, unknown)
		}
	}
}
