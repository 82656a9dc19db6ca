package train

import (
	"math"
	"slices"

	"attnatlas/engine/encoder"
)

// Unigram returns the loss, in nats per token, of predicting the tokens of another corpus from their frequencies in
// this one. Every source has the share of rows that pick draws from it. A model with a lower loss has learned
// from the context.
func (c *Corpus) Unigram(of *Corpus) float64 {
	counts, total, loss := c.counts(), float64(c.Tokens()), 0.0
	for i, s := range of.streams {
		for _, id := range s.ids {
			loss -= of.drawn(i) / float64(len(s.ids)) * math.Log((counts[id]+1)/(total+float64(len(counts))))
		}
	}
	return loss
}

// drawn returns the share of rows of masked words that pick draws from stream i.
func (c *Corpus) drawn(i int) float64 { return c.maskedShares(nil)[i] }

// counts returns how often each token would occur in the running text if every source had the share that pick draws
// from it.
func (c *Corpus) counts() []float64 {
	counts, total := make([]float64, c.Vocab.Size()), float64(c.Tokens())
	for i, s := range c.streams {
		for _, id := range s.ids {
			counts[id] += total * c.drawn(i) / float64(len(s.ids))
		}
	}
	return counts
}

// Copied is the name in Chance of a baseline that uses no context and copies every token that is
// not [MASK]. A tenth of the words to predict are left unchanged (see Batch.hide).
const Copied = "words copied"

// Chance returns the accuracy on another corpus of the majority-class baseline: always the most frequent answer of this
// corpus. The keys are tasks as in Result.Score. For pairs it is a half. Copied is a second baseline without context.
func (c *Corpus) Chance(of *Corpus) map[string]float64 {
	chance := map[string]float64{encoder.NextSentence.Name: 0.5, encoder.SentenceOrder.Name: 0.5}
	counts := c.counts()
	frequent := slices.Index(counts, slices.Max(counts))
	for i, s := range of.streams {
		for _, id := range s.ids {
			if id == frequent {
				chance[wordTask] += of.drawn(i) / float64(len(s.ids))
			}
		}
	}
	chance[string(encoder.NextWord)] = chance[wordTask]
	chance[Copied] = hiddenShare*chance[wordTask] + (1 - hiddenShare - otherShare)
	for i, task := range encoder.Classifiers() {
		if here, there := c.tasks[i].classes(len(task.Classes)), of.tasks[i]; there.count > 0 {
			frequent := slices.Index(here, slices.Max(here))
			chance[task.Name] = float64(there.classes(len(task.Classes))[frequent]) / float64(there.count)
		}
	}
	return chance
}

// classes counts the texts of each of n classes.
func (l *labelled) classes(n int) []int {
	counts := make([]int, n)
	for _, rows := range l.rows {
		for _, r := range rows {
			counts[r.class]++
		}
	}
	return counts
}
