package train

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestDepthIsLearned: stacks that repeat or reorder their layers learn masked words.
func TestDepthIsLearned(t *testing.T) {
	dir := writeData(t)
	c, valid := load(t, dir, Train), load(t, dir, Valid)
	for stack, chosen := range map[string]map[string]string{
		"universal": {"halting": "accumulated"}, "sandwich": {"order": "1"},
	} {
		o := options(80)
		o.Model.Stack, o.Model.Layers, o.Model.Options = stack, 2, chosen
		o.Method.Warmup, o.Method.Rate = 20, 2e-2
		r := newRun(t, o)
		before := evaluated(t, r, valid)
		for ; r.Step < o.Steps; r.Step++ {
			r.step(c.wordBatch(rand.New(rand.NewPCG(1, uint64(r.Step))), 32, nil, usual).split(4)[0].objective(r.Model))
		}
		if after := evaluated(t, r, valid); after.Score["words"] < 0.3 || after.Loss > 0.5*before.Loss {
			t.Errorf("%s: loss %.3f, before training %.3f; %.3f are right", stack, after.Loss, before.Loss, after.Score["words"])
		}
	}
}

// TestPonderingIsPaidFor: the training loss includes the ponder cost, divided among the parts.
func TestPonderingIsPaidFor(t *testing.T) {
	c := load(t, writeData(t), Train)
	loss := func(cost string, parts int) float64 {
		o := options(1)
		o.Model.Stack, o.Model.Layers, o.Model.Options = "universal", 4, map[string]string{"ponder": cost, "threshold": "0.9"}
		r := newRun(t, o)
		sum := 0.0
		for _, l := range c.wordBatch(rand.New(rand.NewPCG(1, 1)), 16, nil,
			usual).split(21)[0].objective(r.Model).Parts(parts) {
			sum += lossOf(l)
		}
		return sum
	}
	free := loss("0", 1)
	paid := loss("1", 1) - free
	if paid < 2 || paid > 5 { // n + R: at first, words take two steps
		t.Errorf("pondering costs %v", paid)
	}
	if half := loss("0.5", 1) - free; math.Abs(half-paid/2) > 1e-4 {
		t.Errorf("at half the price pondering costs %v, not half of %v", half, paid)
	}
	if again := loss("1", 3) - free; math.Abs(again-paid) > 1e-4 {
		t.Errorf("in three parts pondering costs %v, in one %v", again, paid)
	}
}
