package train

import (
	"context"
	"math/rand/v2"
	"slices"

	"attnatlas/engine/ad"
	"attnatlas/engine/encoder"
	"attnatlas/engine/nn"
	"attnatlas/engine/task"
	"attnatlas/engine/tokenizer"
)

// seq2seqBatch is the objective of an encoder–decoder: source texts, their targets, and the next
// word at every position of the targets. Shorter texts are padded to the longest.
type seq2seqBatch struct {
	encoder.Pair
	next  []int // [B·N]; −1 where the target is padding
	model *encoder.Seq2Seq
	share float64 // fraction of the whole batch's target words
}

// Task returns the name of the task.
func (w seq2seqBatch) Task() string { return wordTask }

// Tokens returns the number of tokens in the batch.
func (w seq2seqBatch) Tokens() int { return len(w.Source) + len(w.Target) }

// Parts splits the objective into at most n parts.
func (w seq2seqBatch) Parts(n int) []Objective {
	n = min(n, w.Count)
	source, target := len(w.Source)/w.Count, len(w.Target)/w.Count
	parts := make([]Objective, n)
	_, all := w.asked()
	for i := range parts {
		from, to := i*w.Count/n, (i+1)*w.Count/n
		p := w
		p.Count = to - from
		p.Source, p.Target = w.Source[from*source:to*source], w.Target[from*target:to*target]
		if w.SourceMask.Keys != nil {
			p.SourceMask.Keys, p.TextMask.Keys = w.SourceMask.Keys[from*source:to*source], w.TextMask.Keys[from*target:to*target]
		}
		p.next = w.next[from*target : to*target]
		_, words := p.asked()
		p.share = w.share * float64(len(words)) / float64(len(all))
		parts[i] = p
	}
	return parts
}

// asked returns the positions of the target that are not padding, and the next word at each.
func (w seq2seqBatch) asked() (at, words []int) {
	for i, next := range w.next {
		if next >= 0 {
			at, words = append(at, i), append(words, next)
		}
	}
	return at, words
}

// Loss returns the mean cross-entropy of the target words. There are no auxiliary losses.
func (w seq2seqBatch) Loss(p *nn.Pass) (all, own *ad.Var) {
	at, words := w.asked()
	all = ad.Scale(ad.CrossEntropy(w.model.Words(p, w.model.Run(p, w.Pair), at), words), ad.Elem(w.share))
	return all, all
}

// add adds a text and its target, padded to the given numbers of tokens.
func (w *seq2seqBatch) add(v *tokenizer.Vocabulary, words [][]int, pieces int) {
	source := slices.Concat(words...)
	target := slices.Concat(task.Target(v, w.model.Config.Tasks[w.Pair.Task].Name, words)...)
	padding := slices.Repeat([]int{v.PAD()}, pieces-len(source))
	w.Source = slices.Concat(w.Source, []int{v.CLS()}, source, []int{v.SEP()}, padding)
	w.Target = slices.Concat(w.Target, []int{v.CLS()}, target, padding)
	w.next = slices.Concat(w.next, target, []int{v.SEP()}, slices.Repeat([]int{-1}, len(padding)))
	w.Count++
}

// mask masks the padding, if there is any.
func (w *seq2seqBatch) mask(v *tokenizer.Vocabulary) {
	if !slices.Contains(w.Source, v.PAD()) {
		return
	}
	text := func(ids []int) nn.Mask {
		keys := make([]bool, len(ids))
		for i, id := range ids {
			keys[i] = id != v.PAD()
		}
		return nn.Mask{Keys: keys, N: len(ids) / w.Count}
	}
	w.SourceMask, w.TextMask = text(w.Source), text(w.Target)
}

// shortPieces is the length of the texts, in tokens, in the first quarter of a training run. Models
// learn from them how to find the position of a word.
const shortPieces = 12

// seq2seqSchedule uses texts of all lengths, and cycles through the tasks of the model. In every third batch the texts
// differ in length.
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
			own := n
			if step%3 == 0 {
				own = 1 + r.IntN(n)
			}
			w.add(c.Vocab, f.text(r, own), n)
		}
		w.mask(c.Vocab)
		return w
	}
}

// longestText returns the number of tokens of the longest text for a model. The model adds [CLS] and [SEP].
func longestText(m *encoder.Seq2Seq) int { return min(maxPieces, m.Config.Length-2) }

const seq2seqTokens = 2048 // tokens in a batch, source and target together

// validTexts is the number of sentences that EvaluateSeq2Seq reads for each task.
const validTexts = 300

// EvaluateSeq2Seq measures an encoder–decoder on sentences outside its training set: the loss, and for each task the
// fraction of sentences in which all words are right. It ends with the context.
func EvaluateSeq2Seq(ctx context.Context, m *encoder.Seq2Seq, c *Corpus) (Result, error) {
	res := Result{Score: map[string]float64{}}
	p, count := nn.NewPass(ad.NewFrozen()), 0
	err := c.eachSentence(ctx, m, func(task string, w seq2seqBatch) {
		res.Loss += w.measured(p)
		count++
		p.Reset()
		written, err := m.Greedy(ctx, p, w.Pair,
			encoder.Ends{Start: c.Vocab.CLS(), Stop: c.Vocab.SEP(), Limit: len(w.next) + 1})
		if err == nil && slices.Equal(written, w.next) {
			res.Score[task]++
		}
	})
	if err != nil {
		return res, err
	}
	res.Loss /= float64(count)
	for _, t := range m.Config.Tasks {
		res.Score[t.Name] /= validTexts
	}
	return res, nil
}

// Seq2SeqLosses returns the losses of an encoder–decoder for each of its tasks, on the sentences of
// EvaluateSeq2Seq. Their mean is its loss. It ends with the context.
func Seq2SeqLosses(ctx context.Context, m *encoder.Seq2Seq, c *Corpus) (map[string]float64, error) {
	losses, p := map[string]float64{}, nn.NewPass(ad.NewFrozen())
	err := c.eachSentence(ctx, m, func(task string, w seq2seqBatch) {
		losses[task] += w.measured(p) / validTexts
	})
	return losses, err
}

// measured returns the loss of a batch.
func (w seq2seqBatch) measured(p *nn.Pass) float64 {
	p.Reset()
	loss, _ := w.Loss(p)
	return float64(loss.Value.Data[0])
}

// eachSentence visits the same sentences for each task of a model.
func (c *Corpus) eachSentence(ctx context.Context, m *encoder.Seq2Seq, visit func(task string, w seq2seqBatch)) error {
	f := c.phrases(longestText(m))
	for number, t := range m.Config.Tasks {
		r := rand.New(rand.NewPCG(validSeed, 0))
		for range validTexts {
			if err := ctx.Err(); err != nil {
				return err
			}
			w := seq2seqBatch{model: m, share: 1}
			w.Pair.Task = number
			words := f.sentences[r.IntN(len(f.sentences))]
			w.add(c.Vocab, words, len(slices.Concat(words...)))
			visit(t.Name, w)
		}
	}
	return nil
}
