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

// writing is a lesson of an encoder–decoder: texts of equal length, what was written of
// them so far, and what comes next at every place.
type writing struct {
	encoder.Pair
	next  []int // [B·N]
	model *encoder.Transducer
	share float64 // of the whole lesson's pairs
}

func (w writing) Task() string { return "words" }
func (w writing) Tokens() int  { return len(w.Source) + len(w.Target) }

func (w writing) Parts(n int) []Lesson {
	n = min(n, w.Count)
	source, target := len(w.Source)/w.Count, len(w.Target)/w.Count
	parts := make([]Lesson, n)
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

// Loss is the mean over all words that are to be written.
func (w writing) Loss(p *nn.Pass) *ad.Var {
	return ad.Scale(ad.CrossEntropy(w.logits(p), w.next), ad.Elem(w.share))
}

func (w writing) logits(p *nn.Pass) *ad.Var {
	at := make([]int, len(w.Target))
	for i := range at {
		at[i] = i
	}
	return w.model.Words(p, w.model.Run(p, w.Pair), at)
}

// add adds a text and its answer.
func (w *writing) add(v *tokenizer.Vocabulary, words [][]int) {
	flat := func(words [][]int) []int { return slices.Concat(words...) }
	answer := flat(task.Target(v, w.model.Config.Tasks[w.Pair.Task].Name, words))
	w.Source = append(append(append(w.Source, v.CLS()), flat(words)...), v.SEP())
	w.Target = append(append(w.Target, v.CLS()), answer...)
	w.next = append(append(w.next, answer...), v.SEP())
	w.Count++
}

// In the first quarter of a training texts are short: how to find a word's place is
// learned from them.
const shortPieces = 12

// transductionCourse are texts of all lengths and all tasks of the model, in turn.
func (c *Corpus) transductionCourse(m *encoder.Transducer, seed uint64) Course {
	longest := longestText(m)
	f := c.phrases(longest)
	return func(step, steps int) Lesson {
		r := rand.New(rand.NewPCG(seed, uint64(step)))
		most := longest
		if step < steps/4 {
			most = min(most, shortPieces)
		}
		n := 1 + r.IntN(most)
		w := writing{model: m, share: 1}
		w.Pair.Task = step % len(m.Config.Tasks)
		for range max(1, writingTokens/(2*n+4)) {
			w.add(c.Vocab, f.text(r, n))
		}
		return w
	}
}

// longestText is the number of pieces of the longest text for a model, which puts [CLS] and
// [SEP] around it.
func longestText(m *encoder.Transducer) int { return min(maxPieces, m.Config.Length-2) }

const writingTokens = 2048 // of a lesson, read and written

// Sentences that an encoder–decoder is measured on.
const validTexts = 300

// EvaluateTransducer writes for sentences that the model was not trained on, and gives for
// each task the share of those of which every word is right.
func EvaluateTransducer(m *encoder.Transducer, c *Corpus) Result {
	p, f := nn.NewPass(ad.NewFrozen()), c.phrases(longestText(m))
	res := Result{Score: map[string]float64{}}
	count := 0
	for number, t := range m.Config.Tasks {
		r, right := rand.New(rand.NewPCG(validSeed, 0)), 0
		for range validTexts {
			w := writing{model: m, share: 1}
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
