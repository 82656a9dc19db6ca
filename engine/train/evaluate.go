package train

import (
	"math/rand/v2"

	"attnatlas/engine/ad"
	"attnatlas/engine/encoder"
	"attnatlas/engine/nn"
)

// Result is how well a model does on texts it was not trained on.
type Result struct {
	Loss  float64            // masked words, nats per word piece
	Score map[string]float64 // share of right answers: "words" and each task
}

// validation batches of masked words; their content depends on nothing but the
// corpus.
const (
	validBatches = 40
	validSeed    = 20260101
)

// Evaluate measures a model on a corpus.
func Evaluate(m *encoder.Model, c *Corpus) Result {
	p := nn.NewPass(ad.NewFrozen())
	res := Result{Score: map[string]float64{}}
	var loss, right, asked float64
	for i := range validBatches {
		r := rand.New(rand.NewPCG(validSeed, uint64(i)))
		b := c.wordBatch(r, lengths[i%len(lengths)], 0)
		l, n := measure(m, p, b)
		loss, right, asked = loss+l*float64(len(b.At)), right+float64(n), asked+float64(len(b.At))
	}
	res.Loss, res.Score["words"] = loss/asked, right/asked
	for t, task := range m.Config.Tasks {
		if t < len(c.tasks) && c.tasks[t].count > 0 {
			res.Score[task.Name] = c.tasks[t].score(m, p, t)
		}
	}
	return res
}

// score is the share of texts whose class the model finds.
func (l *labelled) score(m *encoder.Model, p *nn.Pass, task int) float64 {
	right := 0
	for _, n := range l.lengths {
		for rows := l.rows[n]; len(rows) > 0; {
			take := min(batchRows, len(rows))
			b := Batch{Task: task, Count: take}
			for _, r := range rows[:take] {
				b.IDs = append(b.IDs, r.ids...)
				b.Targets = append(b.Targets, r.class)
			}
			_, n := measure(m, p, b)
			right, rows = right+n, rows[take:]
		}
	}
	return float64(right) / float64(l.count)
}

// measure is the mean loss of a batch and the number of right answers.
func measure(m *encoder.Model, p *nn.Pass, b Batch) (loss float64, right int) {
	p.Reset()
	logits := logitsOf(m, p, b)
	for i, target := range b.Targets {
		best := logits.Value.Sub(i).Data
		top := 0
		for c, v := range best {
			if v > best[top] {
				top = c
			}
		}
		if top == target {
			right++
		}
	}
	return float64(ad.CrossEntropy(logits, b.Targets).Value.Data[0]), right
}
