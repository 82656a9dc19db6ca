package train

import (
	"math"
	"math/rand/v2"

	"attnatlas/engine/tokenizer"
)

// words is the task number of the masked-word objective; classifiers count from 0.
const words = -1

// wordTask is the name of the objectives on words.
const wordTask = "words"

// Batch is the data of one step: sequences of equal length.
type Batch struct {
	Task    int   // words, or the classifier's number
	IDs     []int // [B·N], one sequence after the other
	Types   []int // [B·N], the segment of each; nil: all in the first
	Count   int   // B
	At      []int // words: positions in IDs of the masked words
	Targets []int // the words at (or after) these positions, or the class of each sequence
	Pairs   []int // the class of each sequence as a pair of texts, in addition to the words; nil: none
}

// Tokens returns the number of positions of the batch.
func (b Batch) Tokens() int { return len(b.IDs) }

// split divides the batch into at most n parts of whole sequences.
func (b Batch) split(n int) []Batch {
	n = min(n, b.Count)
	size := len(b.IDs) / b.Count
	parts := make([]Batch, n)
	at := 0 // index in b.At
	for i := range parts {
		from, to := i*b.Count/n, (i+1)*b.Count/n
		p := Batch{Task: b.Task, Count: to - from, IDs: b.IDs[from*size : to*size]}
		if b.Task == words {
			for ; at < len(b.At) && b.At[at] < to*size; at++ {
				p.At = append(p.At, b.At[at]-from*size)
				p.Targets = append(p.Targets, b.Targets[at])
			}
		} else {
			p.Targets = b.Targets[from:to]
		}
		if b.Types != nil {
			p.Types = b.Types[from*size : to*size]
		}
		if b.Pairs != nil {
			p.Pairs = b.Pairs[from:to]
		}
		parts[i] = p
	}
	return parts
}

// validLengths are the row lengths on which models are measured with masked words.
var validLengths = [...]int{16, 24, 32, 48, 64}

// taskSchedule is the repeating order of the objectives in phases that train classifiers.
var taskSchedule = [...]int{
	words, words, words, 1, words, words, words, 0, words, words,
	words, words, words, 1, words, words, words, 0, words, 1,
}

const (
	batchTokens = 2048 // tokens in a batch of masked words
	batchRows   = 128  // rows in a batch of a classifier
	maskShare   = 0.15
	hiddenShare = 0.8 // share of the chosen words that become [MASK]
	otherShare  = 0.1 // share that become another token; the rest stay unchanged
)

// Batch makes the batch of a step in a phase. It depends only on the corpus and the arguments.
func (c *Corpus) Batch(seed uint64, step int, phase Phase) Batch {
	r := rand.New(rand.NewPCG(seed, uint64(step)))
	if task := taskSchedule[step%len(taskSchedule)]; task != words && phase.Classes && c.tasks[task].count > 0 {
		return c.classBatch(r, task)
	}
	return c.wordBatch(r, draw(r, phase.Lengths), phase.Texts, c.hiding(phase))
}

// draw returns one of several lengths, so that parameters for single positions are trained on short and long texts.
func draw(r *rand.Rand, lengths []int) int { return lengths[r.IntN(len(lengths))] }

// wordBatch draws rows of n tokens, as many as fit into batchTokens, from the sources with these shares.
func (c *Corpus) wordBatch(r *rand.Rand, n int, shares map[string]float64, h hiding) Batch {
	b, of := Batch{Task: words, Count: max(1, batchTokens/n)}, c.maskedShares(shares)
	for range b.Count {
		from := len(b.IDs)
		b.IDs = append(b.IDs, c.wrap(c.pick(r, of).cut(r, n-2))...)
		b.mask(r, c.Vocab, h, from+1, len(b.IDs)-1)
	}
	if len(b.At) == 0 { // a tiny batch may happen to have no masked word
		b.hide(r, c.Vocab, 1)
	}
	return b
}

// pick draws a stream; each stream has a share of all rows.
func (c *Corpus) pick(r *rand.Rand, shares []float64) *stream {
	x := r.Float64()
	for i := range c.streams {
		if x -= shares[i]; x < 0 {
			return &c.streams[i]
		}
	}
	return &c.streams[len(c.streams)-1]
}

// hiding holds the probability with which words are masked.
type hiding struct {
	share  float64
	seldom []float64 // factor of the share, by token; nil: 1 for every token
}

// usual masks every word with the same share, which is also used for measuring models.
var usual = hiding{share: maskShare}

// hiding returns the masking of a phase.
func (c *Corpus) hiding(p Phase) hiding {
	h := usual
	if p.Mask > 0 {
		h.share = p.Mask
	}
	if p.Seldom > 0 {
		h.seldom = c.seldom(p.Seldom)
	}
	return h
}

// seldom returns, for each token, the factor by which it is masked less often. If a token is more
// frequent than the share above, the factor is the root of the ratio (Mikolov et al. 2013,
// arXiv:1310.4546, sec. 2.3, drop frequent words in the same way).
func (c *Corpus) seldom(above float64) []float64 {
	less := make([]float64, c.Vocab.Size())
	for i, share := range c.frequency() {
		less[i] = 1
		if share > above {
			less[i] = math.Sqrt(above / share)
		}
	}
	return less
}

// frequencies returns the shares of the tokens in the mixture of masked words.
func (c *Corpus) frequencies() []float64 {
	all, shares := make([]float64, c.Vocab.Size()), c.maskedShares(nil)
	for i, s := range c.streams {
		for _, id := range s.ids {
			all[id] += shares[i] / float64(len(s.ids))
		}
	}
	return all
}

// mask draws words to be masked, each with all of its tokens: 15 % of the words unless the phase says otherwise
// (Devlin et al. 2018, sec. 3.1).
func (b *Batch) mask(r *rand.Rand, v *tokenizer.Vocabulary, h hiding, from, to int) {
	masked := false
	for i := from; i < to; i++ {
		if id := b.IDs[i]; !v.IsContinuation(id) {
			share := h.share
			if h.seldom != nil {
				share *= h.seldom[id]
			}
			masked = r.Float64() < share
		}
		if masked {
			b.hide(r, v, i)
		}
	}
}

// hide masks one position: it becomes [MASK] (80 %), another token (10 %) or stays (10 %).
func (b *Batch) hide(r *rand.Rand, v *tokenizer.Vocabulary, i int) {
	b.At = append(b.At, i)
	b.Targets = append(b.Targets, b.IDs[i])
	switch x := r.Float64(); {
	case x < hiddenShare:
		b.IDs[i] = v.MASK()
	case x < hiddenShare+otherShare:
		b.IDs[i] = tokenizer.FirstLearned + r.IntN(v.Size()-tokenizer.FirstLearned)
	}
}

// classBatch draws texts of one length. A length is as likely as it is frequent among the texts.
func (c *Corpus) classBatch(r *rand.Rand, task int) Batch {
	l := &c.tasks[task]
	b := Batch{Task: task}
	x := r.IntN(l.count)
	for _, n := range l.lengths {
		rows := l.rows[n]
		if x -= len(rows); x >= 0 {
			continue
		}
		for range batchRows {
			pick := rows[r.IntN(len(rows))]
			b.IDs = append(b.IDs, pick.ids...)
			b.Targets = append(b.Targets, pick.class)
			b.Count++
		}
		break
	}
	return b
}
