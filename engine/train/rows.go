package train

import (
	"math/rand/v2"
	"slices"
	"sort"
	"sync"
)

// rowIndex finds rows of a stream.
type rowIndex struct {
	mu    sync.Mutex
	whole map[int][]int // by length: where rows of whole sentences begin; computed on demand
	ranks []int         // the texts in order of length; computed on demand
}

// fewestRows is the number of rows of whole sentences that a length needs. With fewer, the same rows would be used too
// often.
const fewestRows = 200

// cut takes n ids from the beginning of a random sentence. They are whole sentences if the stream
// has enough of them with this total length, and otherwise the next n ids.
func (s *stream) cut(r *rand.Rand, n int) []int {
	if whole := s.wholeRows(n); len(whole) >= fewestRows {
		return s.ids[whole[r.IntN(len(whole))]:][:n]
	}
	at := s.starts[r.IntN(len(s.starts))]
	return s.ids[max(0, min(at, len(s.ids)-n)):][:n]
}

// wholeRows returns the places from which n ids are whole sentences.
func (s *stream) wholeRows(n int) []int {
	s.index.mu.Lock()
	defer s.index.mu.Unlock()
	if rows, ok := s.index.whole[n]; ok {
		return rows
	}
	if s.index.whole == nil {
		s.index.whole = map[int][]int{}
	}
	rows, end := []int{}, 0
	for _, from := range s.starts {
		for end < len(s.starts) && s.starts[end] < from+n {
			end++
		}
		if end < len(s.starts) && s.starts[end] == from+n {
			rows = append(rows, from)
		}
	}
	s.index.whole[n] = rows
	return rows
}

// text returns text number i.
func (s *stream) text(i int) []int {
	to := len(s.ids)
	if i+1 < len(s.texts) {
		to = s.texts[i+1]
	}
	return s.ids[s.texts[i]:to]
}

// byLength returns the texts, the shortest first.
func (s *stream) byLength() []int {
	s.index.mu.Lock()
	defer s.index.mu.Unlock()
	if s.index.ranks == nil {
		for i := range s.texts {
			s.index.ranks = append(s.index.ranks, i)
		}
		slices.SortStableFunc(s.index.ranks, func(a, b int) int { return len(s.text(a)) - len(s.text(b)) })
	}
	return s.index.ranks
}

// maskedShares returns the shares of rows of masked words by stream.
func (c *Corpus) maskedShares(of map[string]float64) []float64 {
	return c.shares(of, func(s source) float64 { return s.share })
}

// shares returns the share of each stream: the named shares, or else the defaults. They sum to 1.
func (c *Corpus) shares(told map[string]float64, usual func(source) float64) []float64 {
	all, sum := make([]float64, len(c.streams)), 0.0
	for i, s := range c.streams {
		if all[i] = told[s.name]; told == nil {
			all[i] = usual(s.source)
		}
		sum += all[i]
	}
	if sum == 0 { // the corpus has none of the named sets
		all, sum = slices.Repeat([]float64{1}, len(all)), float64(len(all))
	}
	for i := range all {
		all[i] /= sum
	}
	return all
}

// alikeTexts is the smallest number of texts of similar length from which a row of next words is drawn.
const alikeTexts = 32

// nextBatch returns a batch of next words: whole texts of similar length, each between [CLS] and
// [SEP]. Shorter ones are padded with [PAD], which the model cannot attend to. From a text with
// more than length tokens, a part is used: its beginning or its end.
func (c *Corpus) nextBatch(seed uint64, step, length int, shares map[string]float64) Batch {
	r := rand.New(rand.NewPCG(seed, uint64(step)))
	s := c.pick(r, c.shares(shares, func(s source) float64 { return s.next }))
	drawn := s.text(sort.SearchInts(s.texts, r.IntN(len(s.ids))+1) - 1) // drawn in proportion to the length
	b := Batch{Task: words, Count: max(1, batchTokens/min(len(drawn)+2, length))}
	near := s.near(len(drawn), max(b.Count, alikeTexts))
	rows, longest := make([][]int, b.Count), 0
	for i := range rows {
		rows[i] = c.delimited(r, s.text(near[r.IntN(len(near))]), length)
		longest = max(longest, len(rows[i]))
	}
	for _, row := range rows {
		b.addNext(row, longest)
	}
	return b
}

// near returns count texts with about n tokens, or all texts.
func (s *stream) near(n, count int) []int {
	ranks := s.byLength()
	from := sort.Search(len(ranks), func(i int) bool { return len(s.text(ranks[i])) >= n })
	from = max(0, min(from, len(ranks)-count))
	return ranks[from:min(from+count, len(ranks))]
}

// delimited returns a text, or a part of it, between [CLS] and [SEP].
func (c *Corpus) delimited(r *rand.Rand, text []int, length int) []int {
	row := c.wrap(text)
	if len(row) <= length {
		return row
	}
	if r.IntN(2) == 0 {
		return row[:length]
	}
	return row[len(row)-length:]
}

// addNext adds a row in which every word is predicted from those before it, padded with [PAD] to
// the given length.
func (b *Batch) addNext(row []int, length int) {
	at := len(b.IDs)
	b.IDs = append(append(b.IDs, row...), make([]int, length-len(row))...)
	for i, next := range row[1:] {
		b.At = append(b.At, at+i)
		b.Targets = append(b.Targets, next)
	}
}
