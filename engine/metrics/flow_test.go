package metrics

import (
	"math/rand/v2"
	"testing"

	"attnatlas/engine/tensor"
	"attnatlas/engine/trace"
)

func always() error { return nil }

func flowOf(t *testing.T, layers []trace.Map, l int) *tensor.T {
	t.Helper()
	raw, err := Flow(layers, l, always)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// TestFlowOfTwoLayersIsThatOfTheNetwork: the closed form equals the result of the search. Rollout
// is at most the flow, and no flow exceeds the capacity of the input's first connections. A word
// that attends only to itself gets flow only from itself.
func TestFlowOfTwoLayersIsThatOfTheNetwork(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	layers := []trace.Map{weights(r, 2, 9, func(i, j int) bool { return true }),
		weights(r, 2, 9, func(i, j int) bool { return j <= i }), weights(r, 2, 9, func(i, j int) bool { return j >= i })}
	steps := make([]*tensor.T, 3)
	for l := range steps {
		steps[l] = withResidual(layers[l].HeadMean().Value)
	}
	closed, search := flowOf(t, layers, 1), newFlowGraph(steps[:2])
	deep, rolled := flowOf(t, layers, 2), Rollout(layers)
	for i := range 9 {
		for j := range 9 {
			near(t, "a flow through two layers", search.most(i, j), float64(closed.At(i, j)))
			carried := 0.0
			for k := range 9 {
				carried += float64(steps[0].At(k, j))
			}
			if v := float64(deep.At(i, j)); v < float64(rolled[2].At(i, j))-roundOff || v > min(1, carried)+roundOff {
				t.Errorf("flow %v from %d to %d: rollout %v, first connections %v", v, j, i, rolled[2].At(i, j), carried)
			}
		}
	}
	alone := []trace.Map{weights(r, 1, 4, func(i, j int) bool { return i == j }),
		weights(r, 1, 4, func(i, j int) bool { return i == j }), weights(r, 1, 4, func(i, j int) bool { return i == j })}
	for i, v := range flowOf(t, alone, 2).Data {
		want := 0.0
		if i%5 == 0 {
			want = 1
		}
		near(t, "what reads itself alone", float64(v), want)
	}
}

// TestSaturatedFlow tests maps whose rows are equal wherever they reach a column.
func TestSaturatedFlow(t *testing.T) {
	before := func(i, j int) bool { return j <= i }
	for _, c := range []struct {
		name  string
		flow  *tensor.T
		reach func(i, j int) bool
		want  bool
	}{
		{"alike", tensor.From([]tensor.Elem{0.5, 1, 0.5, 1}, 2, 2), nil, true},
		{"not alike", tensor.From([]tensor.Elem{0.5, 1, 0.5, 0.9}, 2, 2), nil, false},
		{"alike before", tensor.From([]tensor.Elem{0.5, 0, 0.5, 1}, 2, 2), before, true},
		{"itself", tensor.From([]tensor.Elem{1, 0, 0, 1}, 2, 2), nil, false},
		{"itself before", tensor.From([]tensor.Elem{1, 0, 0, 1}, 2, 2), before, false},
		{"one word", tensor.From([]tensor.Elem{1}, 1, 1), nil, false},
	} {
		if got := Saturated(c.flow, c.reach); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}
