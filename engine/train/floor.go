package train

import (
	"math"
	"slices"

	"attnatlas/engine/encoder"
)

// Unigram is the loss of guessing the words of another corpus by how often they are in this
// one, in nats for each, every source with the share of rows that pick draws from it: what a
// model has to get below to have learned anything from the words around.
func (c *Corpus) Unigram(of *Corpus) float64 {
	counts, total, loss := c.counts(), float64(c.Tokens()), 0.0
	for i, s := range of.streams {
		for _, id := range s.ids {
			loss -= of.drawn(i) / float64(len(s.ids)) * math.Log((counts[id]+1)/(total+float64(len(counts))))
		}
	}
	return loss
}

// drawn is the share of rows of masked words that pick draws from stream i.
func (c *Corpus) drawn(i int) float64 { return c.maskedShares(nil)[i] }

// counts is how often each piece would be in the running text if every source had the share
// that pick draws from it.
func (c *Corpus) counts() []float64 {
	counts, total := make([]float64, c.Vocab.Size()), float64(c.Tokens())
	for i, s := range c.streams {
		for _, id := range s.ids {
			counts[id] += total * c.drawn(i) / float64(len(s.ids))
		}
	}
	return counts
}

// Copied is the name in Chance of who reads no other word but copies a piece that is not
// [MASK]: of the words that are asked for, a tenth stays (see Batch.hide).
const Copied = "words copied"

// Chance is the share of right answers in another corpus of who always gives the answer that
// is the most frequent one here, by task as in Result.Score; of pairs it is a half. Copied is
// another who reads nothing around.
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

// classes is how many texts are of each of n classes.
func (l *labelled) classes(n int) []int {
	counts := make([]int, n)
	for _, rows := range l.rows {
		for _, r := range rows {
			counts[r.class]++
		}
	}
	return counts
}
