package train

import (
	"cmp"
	"context"
	"math/rand/v2"
	"slices"
	"strconv"

	"attnatlas/engine/ad"
	"attnatlas/engine/encoder"
	"attnatlas/engine/nn"
)

// Result is a model's loss and its scores on texts it was not trained on.
type Result struct {
	Loss  float64            // masked or next words, nats per token
	Long  map[string]float64 // Loss on longer rows, by their length
	Score map[string]float64 // accuracy for "words" or "next word", and for each task
}

// validBatches is the usual number of validation batches. Their content depends only on the corpus.
const (
	validBatches = 40
	validSeed    = 20260101
)

// Evaluate measures an encoder on a corpus. It ends with the context.
func Evaluate(ctx context.Context, m *encoder.Model, c *Corpus) (Result, error) {
	p := nn.NewPass(ad.NewFrozen())
	res := Result{Score: map[string]float64{}}
	name := wordTask
	if m.Config.Objective == encoder.NextWord {
		name = string(encoder.NextWord)
	}
	res.Loss, res.Score[name] = c.words(ctx, m, p, validLengths[:])
	for _, n := range longLengths {
		if n <= min(m.Config.Length, c.longestRow()) && m.Config.Objective != encoder.NextWord {
			if res.Long == nil {
				res.Long = map[string]float64{}
			}
			res.Long[strconv.Itoa(n)], _ = c.words(ctx, m, p, []int{n})
		}
	}
	for t, task := range m.Config.Tasks {
		known := slices.IndexFunc(encoder.Classifiers(), func(of encoder.Task) bool { return of.Name == task.Name })
		switch {
		case task.Pair && c.pairs().count > 0:
			res.Score[task.Name] = c.pairScore(ctx, m, p, t)
		case known >= 0 && c.tasks[known].count > 0:
			res.Score[task.Name] = c.tasks[known].score(ctx, m, p, t)
		}
	}
	return res, ctx.Err()
}

// Loss is Result.Loss alone.
func Loss(ctx context.Context, m *encoder.Model, c *Corpus) (float64, error) {
	loss, _ := c.words(ctx, m, nn.NewPass(ad.NewFrozen()), validLengths[:])
	return loss, ctx.Err()
}

// longLengths are the lengths of rows for which the loss is reported separately.
var longLengths = [...]int{128, 256}

// words returns the loss on masked or next words in rows of these lengths, and the accuracy. Once the context has
// ended, its result is meaningless, and so are the results of pairScore and score.
func (c *Corpus) words(ctx context.Context, m *encoder.Model, p *nn.Pass, lengths []int) (loss, score float64) {
	var right, asked float64
	for i := range cmp.Or(c.Batches, validBatches) {
		if ctx.Err() != nil {
			return 0, 0
		}
		var b Batch
		if m.Config.Objective == encoder.NextWord {
			b = c.nextBatch(validSeed, i, m.Config.Length, nil)
		} else {
			b = c.wordBatch(rand.New(rand.NewPCG(validSeed, uint64(i))), lengths[i%len(lengths)], nil, usual)
		}
		l, n := measure(m, p, b)
		loss, right, asked = loss+l*float64(len(b.At)), right+float64(n), asked+float64(len(b.At))
	}
	return loss / asked, right / asked
}

// pairScore returns the accuracy on pairs of texts, without masked words.
func (c *Corpus) pairScore(ctx context.Context, m *encoder.Model, p *nn.Pass, task int) float64 {
	right, count := 0, 0
	for i := range cmp.Or(c.Batches, validBatches) {
		if ctx.Err() != nil {
			return 0
		}
		r := rand.New(rand.NewPCG(validSeed, uint64(i)))
		b := c.pairBatch(r, m.Config.Tasks[task].Name == encoder.SentenceOrder.Name, usual)
		for i, at := range b.At {
			b.IDs[at] = b.Targets[i]
		}
		b.Task, b.Targets, b.Pairs = task, b.Pairs, nil
		_, n := measure(m, p, b)
		right, count = right+n, count+b.Count
	}
	return float64(right) / float64(count)
}

// score returns the accuracy on texts of a task.
func (l *labelled) score(ctx context.Context, m *encoder.Model, p *nn.Pass, task int) float64 {
	right := 0
	for _, n := range l.lengths {
		for rows := l.rows[n]; len(rows) > 0; {
			if ctx.Err() != nil {
				return 0
			}
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

// measure returns the mean loss of a batch and the number of right answers.
func measure(m *encoder.Model, p *nn.Pass, b Batch) (loss float64, right int) {
	p.Reset()
	logits := b.logits(m, p, b.read(m, p))
	for i, target := range b.Targets {
		if top(logits.Value.Sub(i).Data) == target {
			right++
		}
	}
	return float64(ad.CrossEntropy(logits, b.Targets).Value.Data[0]), right
}
