package train

import (
	"math/rand/v2"
	"slices"

	"attnatlas/engine/ad"
	"attnatlas/engine/encoder"
	"attnatlas/engine/nn"
	"attnatlas/engine/task"
	"attnatlas/engine/tokenizer"
)

// seq2seqBatch is the objective of an encoder–decoder: source texts of equal length, their
// targets, and the next word at every position of these.
type seq2seqBatch struct {
	encoder.Pair
	next  []int // [B·N]
	model *encoder.Seq2Seq
	share float64 // of the whole batch's pairs
}

func (w seq2seqBatch) Task() string { return "words" }
func (w seq2seqBatch) Tokens() int  { return len(w.Source) + len(w.Target) }

func (w seq2seqBatch) Parts(n int) []Objective {
	n = min(n, w.Count)
	source, target := len(w.Source)/w.Count, len(w.Target)/w.Count
	parts := make([]Objective, n)
	for i := range parts {
		from, to := i*w.Count/n, (i+1)*w.Count/n
		p := w
		p.Count, p.share = to-from, w.share*float64(to-from)/float64(w.Count)
		p.Source, p.Target = w.Source[from*source:to*source], w.Target[from*target:to*target]
		p.next = w.next[from*target : to*target]
		parts[i] = p
	}
	return parts
}

// Loss is the mean cross-entropy of the target words.
func (w seq2seqBatch) Loss(p *nn.Pass) *ad.Var {
	return ad.Scale(ad.CrossEntropy(w.logits(p), w.next), ad.Elem(w.share))
}

func (w seq2seqBatch) logits(p *nn.Pass) *ad.Var {
	at := make([]int, len(w.Target))
	for i := range at {
		at[i] = i
	}
	return w.model.Words(p, w.model.Run(p, w.Pair), at)
}

// add adds a text and its target.
func (w *seq2seqBatch) add(v *tokenizer.Vocabulary, words [][]int) {
	flat := func(words [][]int) []int { return slices.Concat(words...) }
	target := flat(task.Target(v, w.model.Config.Tasks[w.Pair.Task].Name, words))
	w.Source = append(append(append(w.Source, v.CLS()), flat(words)...), v.SEP())
	w.Target = append(append(w.Target, v.CLS()), target...)
	w.next = append(append(w.next, target...), v.SEP())
	w.Count++
}

// In the first quarter of a training texts are short: how to find a word's place is
// learned from them.
const shortPieces = 12

// seq2seqSchedule gives texts of all lengths, and the tasks of the model in turn.
func (c *Corpus) seq2seqSchedule(m *encoder.Seq2Seq, seed uint64) Schedule {
	longest := longestText(m)
	f := c.phrases(longest)
	return func(step, steps int) Objective {
		r := rand.New(rand.NewPCG(seed, uint64(step)))
		most := longest
		if step < steps/4 {
			most = min(most, shortPieces)
		}
		n := 1 + r.IntN(most)
		w := seq2seqBatch{model: m, share: 1}
		w.Pair.Task = step % len(m.Config.Tasks)
		for range max(1, seq2seqTokens/(2*n+4)) {
			w.add(c.Vocab, f.text(r, n))
		}
		return w
	}
}

// longestText is the number of pieces of the longest text for a model, which puts [CLS] and
// [SEP] around it.
func longestText(m *encoder.Seq2Seq) int { return min(maxPieces, m.Config.Length-2) }

const seq2seqTokens = 2048 // of a batch, read and written

// validTexts is how many sentences EvaluateSeq2Seq reads for each task.
const validTexts = 300

// EvaluateSeq2Seq measures an encoder–decoder on sentences that it was not trained on: the
// loss, and for each task the share of sentences of which every word is right.
func EvaluateSeq2Seq(m *encoder.Seq2Seq, c *Corpus) Result {
	p, f := nn.NewPass(ad.NewFrozen()), c.phrases(longestText(m))
	res := Result{Score: map[string]float64{}}
	count := 0
	for number, t := range m.Config.Tasks {
		r, right := rand.New(rand.NewPCG(validSeed, 0)), 0
		for range validTexts {
			w := seq2seqBatch{model: m, share: 1}
			w.Pair.Task = number
			w.add(c.Vocab, f.sentences[r.IntN(len(f.sentences))])
			p.Reset()
			res.Loss += float64(ad.CrossEntropy(w.logits(p), w.next).Value.Data[0])
			count++
			p.Reset()
			if slices.Equal(m.Greedy(p, w.Pair, c.Vocab.CLS(), c.Vocab.SEP(), len(w.next)+1), w.next) {
				right++
			}
		}
		res.Score[t.Name] = float64(right) / validTexts
	}
	res.Loss /= float64(count)
	return res
}
