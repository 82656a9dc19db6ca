package train

import (
	"math/rand/v2"
	"slices"

	"attnatlas/engine/tokenizer"
)

// pair is two texts that follow each other: ids[from:mid] and ids[mid:to].
type pair struct{ from, mid, to int32 }

// pairIndex holds the sentence pairs of a text by length: one or two sentences, and the one or two after them.
type pairIndex struct {
	ids     []int
	lengths []int           // of rows "[CLS] A [SEP] B [SEP]", ascending
	rows    map[int][]pair  // by length
	seconds map[int][]int32 // where second texts begin, by their length
	count   int
}

// marks is the number of [CLS] and [SEP] in a row of a pair.
const marks = 3

// indexPairs finds the pairs that fit into length, in the stream that has the most of them. Texts with an odd number
// of quotation marks are left out, because such a mark would reveal which text follows.
func indexPairs(streams []stream, v *tokenizer.Vocabulary, length int) *pairIndex {
	best := &pairIndex{}
	mark, _ := v.ID(`"`) // 0 if there is none, which occurs in no text
	for i := range streams {
		if x := streams[i].pairs(mark, length); x.count > best.count {
			best = x
		}
	}
	return best
}

func (s *stream) pairs(mark, length int) *pairIndex {
	x := &pairIndex{ids: s.ids, rows: map[int][]pair{}, seconds: map[int][]int32{}}
	text := 0
	for i := range s.starts {
		for text+1 < len(s.texts) && s.texts[text+1] <= s.starts[i] {
			text++
		}
		end := len(s.ids)
		if text+1 < len(s.texts) {
			end = s.texts[text+1]
		}
		for a := 1; a <= 2; a++ {
			for b := 1; b <= 2; b++ {
				if at := s.span(i, end); a+b < len(at) && x.balanced(mark, at[0], at[a]) && x.balanced(mark, at[a], at[a+b]) {
					x.add(at, a, b, length)
				}
			}
		}
	}
	for n := range x.rows {
		x.lengths = append(x.lengths, n)
	}
	slices.Sort(x.lengths)
	return x
}

// span returns the starts of sentence i and of the four after it, within the text that ends at end. If the text has
// fewer sentences, end follows them.
func (s *stream) span(i, end int) []int {
	var at []int
	for _, start := range s.starts[i:min(i+5, len(s.starts))] {
		if start >= end {
			break
		}
		at = append(at, start)
	}
	if len(at) < 5 {
		at = append(at, end)
	}
	return at
}

// add adds the pair of the first a sentences and the b after them.
func (x *pairIndex) add(at []int, a, b, length int) {
	n := at[a+b] - at[0] + marks
	if n > length {
		return
	}
	x.rows[n] = append(x.rows[n], pair{int32(at[0]), int32(at[a]), int32(at[a+b])})
	x.seconds[at[a+b]-at[a]] = append(x.seconds[at[a+b]-at[a]], int32(at[a]))
	x.count++
}

// balanced reports whether a text has an even number of quotation marks.
func (x *pairIndex) balanced(mark int, from, to int) bool {
	even := true
	for _, id := range x.ids[from:to] {
		if id == mark {
			even = !even
		}
	}
	return even
}

// length draws a row length, as likely as it is frequent among the pairs.
func (x *pairIndex) length(r *rand.Rand) int {
	at := r.IntN(x.count)
	for _, n := range x.lengths {
		if at -= len(x.rows[n]); at < 0 {
			return n
		}
	}
	panic("train: the pairs are counted wrong")
}

// pairStep returns a batch of sentence pairs. In every third step, in phases without pairs, and for
// a corpus without pairs, it returns a batch of masked words of all texts.
func (c *Corpus) pairStep(seed uint64, step int, phase Phase, order bool) Batch {
	r := rand.New(rand.NewPCG(seed, uint64(step)))
	if step%3 == 2 || !phase.Pairs || c.pairs().count == 0 {
		return c.wordBatch(r, draw(r, phase.Lengths), phase.Texts, c.hiding(phase))
	}
	return c.pairBatch(r, order, c.hiding(phase))
}

// pairBatch draws rows "[CLS] A [SEP] B [SEP]" of equal length with some words masked. In half of
// the rows, B follows A (class 0). In the others, it does not (class 1): with order, A and B are
// swapped; otherwise B is a text of the same length from elsewhere. (Devlin et al. 2018, sec. 3.1;
// Lan et al. 2019, sec. 3.1.)
func (c *Corpus) pairBatch(r *rand.Rand, order bool, h hiding) Batch {
	x := c.pairs()
	n := x.length(r)
	b := Batch{Task: words}
	for range max(1, batchTokens/n) {
		pick := x.rows[n][r.IntN(len(x.rows[n]))]
		first, second := x.ids[pick.from:pick.mid], x.ids[pick.mid:pick.to]
		class := r.IntN(2)
		switch {
		case class == 1 && order:
			first, second = second, first
		case class == 1:
			others := x.seconds[len(second)]
			second = x.ids[others[r.IntN(len(others))]:][:len(second)]
		}
		from := len(b.IDs)
		b.addPair(c, first, second)
		b.Pairs = append(b.Pairs, class)
		b.mask(r, c.Vocab, h, from+1, from+1+len(first))
		b.mask(r, c.Vocab, h, from+2+len(first), len(b.IDs)-1)
	}
	if len(b.At) == 0 {
		b.hide(r, c.Vocab, 1)
	}
	return b
}

// addPair adds the row of two texts.
func (b *Batch) addPair(c *Corpus, first, second []int) {
	b.IDs = append(append(b.IDs, c.wrap(first)...), append(slices.Clone(second), c.Vocab.SEP())...)
	b.Types = append(b.Types, slices.Repeat([]int{0}, len(first)+2)...)
	b.Types = append(b.Types, slices.Repeat([]int{1}, len(second)+1)...)
	b.Count++
}
