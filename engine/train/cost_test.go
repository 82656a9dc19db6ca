package train

import (
	"math"
	"slices"
	"testing"
	"time"

	"attnatlas/engine/encoder"
	"attnatlas/engine/tokenizer"
)

// TestWorkIsThatOfTheSteps: the estimated work of a training run is the sum of its steps, forward and
// backward. It differs only by the number of words that each batch masks, and by the shorter texts of the
// classes.
func TestWorkIsThatOfTheSteps(t *testing.T) {
	c := load(t, writeData(t), Train)
	for _, id := range []string{"dot-product", "bigbird", "gpt2", "encoder-decoder"} {
		o := options(400)
		o.Method.Phases = slices.Clone(o.Method.Phases)
		for i := range o.Method.Phases {
			o.Method.Phases[i].Seldom = 0 // all words of this small text are frequent
		}
		o.Model = encoder.Shipped(id, tokenizer.Default().Size())
		r := newRun(t, o)
		schedule, tokens, want := r.schedule(c), 0, 0.0
		for step := range o.Steps {
			b := schedule(step, o.Steps)
			tokens += b.Tokens()
			switch b := b.(type) {
			case textObjective:
				want += 3 * float64(b.Count) * float64(b.model.Config.FLOPs(len(b.IDs)/b.Count, len(b.At)/b.Count))
			case seq2seqBatch:
				n := len(b.Source) / b.Count
				want += 3 * float64(b.Count) * float64(o.Model.FLOPs(n, n-1))
			}
		}
		if got := Work(o.Model, tokens); math.Abs(got/want-1) > 0.12 {
			t.Errorf("%s: %.3g, the steps are %.3g", id, got, want)
		}
	}
	if c := encoder.Shipped("bert", 300); Work(c, 200) != 2*Work(c, 100) {
		t.Error("twice the pieces are not twice the work")
	}
}

// TestRehearsal: the estimated time of a training run is proportional to its number of steps.
func TestRehearsal(t *testing.T) {
	c := load(t, writeData(t), Train)
	r := newRun(t, options(400))
	now, asked := time.Duration(0), 0
	clock := func() time.Duration { asked++; now += 3 * time.Second; return now }
	if took := r.Rehearse(c, 6, clock); took != 200*time.Second || asked != 2 {
		t.Errorf("%v, the clock was read %d times", took, asked)
	}
	if r.workers[0].loss <= 0 {
		t.Error("no step was taken")
	}
}

// TestChance: always giving the same answer has the accuracy of that answer's frequency.
func TestChance(t *testing.T) {
	dir := writeData(t)
	learn, valid := load(t, dir, Train), load(t, dir, Valid)
	chance := learn.Chance(valid)
	if chance["topic"] != 0.5 || math.Abs(chance["feeling"]-0.5) > 0.01 || chance["next sentence"] != 0.5 {
		t.Errorf("%v", chance)
	}
	if got, want := chance[Copied], 0.8*chance["words"]+0.1; math.Abs(got-want) > 1e-9 {
		t.Errorf("%v, want %v", got, want)
	}
	if math.Abs(chance["words"]-5.0/22) > 0.15 || chance["words"] <= 0 || chance["next word"] != chance["words"] {
		t.Errorf("%v", chance)
	}
}
