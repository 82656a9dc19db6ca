package engine_test

import (
	"math"
	"testing"

	"attnatlas/engine"
	"attnatlas/engine/ablation"
	"attnatlas/engine/fault"
	"attnatlas/engine/headstats"
	"attnatlas/engine/metrics"
	"attnatlas/engine/nn"
	"attnatlas/engine/runningsums"
	"attnatlas/engine/tensor"
)

// within is the tolerance for float32 results that were summed in another order.
const within = 1e-6

func runningOf(t *testing.T, e *engine.Engine, mask nn.MaskKind, layer, head int, cuts ...ablation.Cut) (*engine.Result,
	*runningsums.Running) {
	t.Helper()
	res := one(t, inspect(t, e, engine.Request{
		Text: changedText, Mechanisms: []string{"linear"}, Mask: mask, Cuts: ablation.Cuts{All: cuts},
		Running: headstats.Place{Layer: layer, Head: head},
	}))
	return res, res.Running
}

// TestRunningSums: both computations agree with each other and with the model. The last state is the one that the
// model shows. Every state is the one before plus what its word adds.
func TestRunningSums(t *testing.T) {
	e := engine.New()
	for _, mask := range []nn.MaskKind{nn.NoMask, nn.Causal} {
		for layer := 1; layer <= 2; layer++ {
			for head := 1; head <= 4; head++ {
				res, s := runningOf(t, e, mask, layer, head)
				if a, b := metrics.RelativeDifference(s.Read, s.Mapped), metrics.RelativeDifference(s.Read, s.Model); a > within ||
					b > within || s.Causal != (mask == nn.Causal) {
					t.Errorf("%v, layer %d, head %d: the ways are %v apart, the model %v", mask, layer, head, a, b)
				}
				n, w := s.Read.Dim(0), s.Read.Dim(1)
				if d := metrics.RelativeDifference(s.State.Sub(n-1), mapOf(t, res, layer, "state").Sub(head-1)); d > within {
					t.Errorf("%v, layer %d, head %d: the last state is %v from the model's", mask, layer, head, d)
				}
				for i := 1; i < n; i++ {
					for c := range w * w {
						if got, want := s.State.Sub(i).Data[c], s.State.Sub(i - 1).Data[c]+s.Added.Sub(i).Data[c]; got != want {
							t.Fatalf("word %d adds %v to %v, which gives %v", i+1, s.Added.Sub(i).Data[c], s.State.Sub(i - 1).Data[c], got)
						}
					}
				}
				mapped(t, res, s)
			}
		}
	}
}

// mapped checks the rows of the model's map: they sum to 1, and under a causal mask no word attends to a later one.
func mapped(t *testing.T, res *engine.Result, s *runningsums.Running) {
	t.Helper()
	a := mapOf(t, res, s.Layer, "weights").Sub(s.Head - 1)
	n := a.Dim(0)
	for i := range n {
		sum := 0.0
		for j := range n {
			v := float64(a.Data[i*n+j])
			if sum += v; s.Causal && j > i && v != 0 {
				t.Fatalf("word %d reads word %d", i+1, j+1)
			}
		}
		if math.Abs(sum-1) > 1e-4 {
			t.Errorf("row %d sums to %v", i+1, sum)
		}
	}
}

// TestRunningSumsWithoutAWord: a blocked word adds nothing.
func TestRunningSumsWithoutAWord(t *testing.T) {
	_, s := runningOf(t, engine.New(), nn.NoMask, 2, 1, ablation.Cut{Kind: ablation.CutWord, Col: 4})
	if d := metrics.RelativeDifference(s.Read, s.Model); d > within {
		t.Errorf("%v apart from the model", d)
	}
	for _, v := range append(append([]tensor.Elem{}, s.Added.Sub(3).Data...),
		s.Keys.Sub(3).Data[0]-s.Keys.Sub(2).Data[0]) {
		if v != 0 {
			t.Fatalf("the cut word adds %v", v)
		}
	}
}

// TestWrongRunning: each invalid request has its kind of error.
func TestWrongRunning(t *testing.T) {
	e := engine.New()
	for _, c := range []struct {
		id   string
		at   headstats.Place
		want fault.Kind
	}{
		{"linear", headstats.Place{Layer: 3, Head: 1}, fault.NotFound},
		{"linear", headstats.Place{Layer: 1, Head: 5}, fault.NotFound},
		{"linear", headstats.Place{Layer: 1}, fault.NotFound}, {"dense", headstats.Place{Layer: 1, Head: 1}, fault.Unsupported},
	} {
		if err := inspect(t, e, engine.Request{Text: changedText, Mechanisms: []string{c.id},
			Running: c.at}).Mechanisms[0].Err; fault.KindOf(err) != c.want {
			t.Errorf("%s %v: %v", c.id, c.at, err)
		}
	}
}
