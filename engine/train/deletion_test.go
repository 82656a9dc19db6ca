package train

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"attnatlas/engine/ad"
	"attnatlas/engine/encoder"
	"attnatlas/engine/nn"
	"attnatlas/engine/trace"
)

// TestDeletion compares the shares with predictions for one text at a time.
func TestDeletion(t *testing.T) {
	dir := writeData(t)
	c, valid := load(t, dir, Train), load(t, dir, Valid)
	o := options(150)
	o.Model.Mechanism, o.Method.Warmup, o.Method.Rate = "fastformer", 20, 2e-2
	r := newRun(t, o)
	for ; r.Step < 150; r.Step++ {
		r.step(c.classBatch(rand.New(rand.NewPCG(1, uint64(r.Step))), 0).objective(r.Model))
	}
	d, err := Delete(t.Context(), r.Model, valid, encoder.Topic)
	if err != nil {
		t.Fatal(err)
	}
	texts := valid.tasks[0]
	if d.Texts != texts.count || math.Abs(d.Whole-evaluated(t, r, valid).Score[encoder.Topic]) > 1e-9 {
		t.Errorf("%d of %d texts, %v right", d.Texts, texts.count, d.Whole)
	}
	answers := asked{r.Model, nn.NewPass(ad.NewFrozen())}
	random, second := 0.0, 0.0 // second: alpha's second head
	for _, rows := range texts.rows {
		for _, row := range rows {
			words := len(row.ids) - 2
			for at := 1; at <= words; at++ {
				random += count(answers.class(row.ids, at) == row.class) / float64(words)
			}
			second += count(answers.class(row.ids, answers.points(row.ids, "alpha", 1)) == row.class)
		}
	}
	n := float64(texts.count)
	at := slices.IndexFunc(d.By, func(by DeletedBy) bool { return by.Map == "alpha" && by.Head == 2 })
	if math.Abs(d.Random-random/n) > 1e-9 || math.Abs(d.By[at].Right-second/n) > 1e-9 {
		t.Errorf("%v and %v, not %v and %v", d.Random, d.By[at].Right, random/n, second/n)
	}
	if d.Whole < 0.9 || d.Random > d.Whole-0.02 {
		t.Errorf("one word decides, and without it: %v, %v", d.Whole, d.Random)
	}
	if len(d.By) != 15 { // ‖C‖, α and β of one layer, each for the mean and four heads
		t.Errorf("%+v", d.By)
	}
}

// TestDeletionOfWhatIsNotThere: a model without the classifier gives no Deletion, and the
// measurement can be stopped.
func TestDeletionOfWhatIsNotThere(t *testing.T) {
	valid := load(t, writeData(t), Valid)
	o := options(1)
	r := newRun(t, o)
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if _, err := Delete(ctx, r.Model, valid, encoder.Topic); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	o.Model.Tasks = nil
	if d, err := Delete(t.Context(), newRun(t, o).Model, valid, encoder.Topic); d != nil || err != nil {
		t.Error(d, err)
	}
}

// asked predicts classes with a model, one text at a time.
type asked struct {
	m *encoder.Model
	p *nn.Pass
}

func (a asked) class(ids []int, without int) int {
	a.p.Reset()
	ids = slices.Delete(slices.Clone(ids), without, without+1)
	return top(a.m.Classify(a.p, a.m.Encode(a.p, ids, 1), 0).Value.Data)
}

// points returns the position of the largest value of a strip in the first layer, without [CLS] and
// [SEP].
func (a asked) points(ids []int, name string, head int) int {
	a.p.Reset()
	a.p.Run = &trace.Run{}
	a.m.Encode(a.p, ids, 1)
	m, _ := a.p.Run.Parts[0].Find(name)
	values, best := m.Value.Sub(head).Data, 1
	for i := 1; i < len(ids)-1; i++ {
		if values[i] > values[best] {
			best = i
		}
	}
	return best
}
