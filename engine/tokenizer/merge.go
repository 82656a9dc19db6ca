package tokenizer

import (
	"cmp"
	"container/heap"
	"slices"
	"strings"
)

// merger does byte-pair encoding on a list of distinct words. It keeps, for each
// pair of neighbouring symbols, its count and the words it occurs in, so that a
// merge touches only those words.
type merger struct {
	symbols []string         // the spelling of a symbol, "##" included
	ids     map[string]int32 // and back
	words   []mergeWord
	pairs   map[pair]*pairInfo
	queue   pairQueue
}

type mergeWord struct {
	symbols []int32
	count   int
}

type pair struct{ left, right int32 }

type pairInfo struct {
	count int
	words []int32 // indices into merger.words; can repeat or be out of date
}

// gap replaces a letter outside the alphabet in a word. It does not join with other symbols.
const gap int32 = -1

func newMerger(words map[string]int, alphabet []string) *merger {
	m := &merger{ids: make(map[string]int32), pairs: make(map[pair]*pairInfo)}
	for _, s := range alphabet {
		m.symbol(s)
	}
	// The random order of the map has no effect: counts are sums, and the queue orders pairs
	// completely.
	for w, n := range words {
		mw := mergeWord{symbols: m.spell(w), count: n}
		m.words = append(m.words, mw)
		for i := 1; i < len(mw.symbols); i++ {
			m.count(mw.symbols[i-1], mw.symbols[i], mw.count, int32(len(m.words)-1))
		}
	}
	for p, info := range m.pairs {
		m.queue = append(m.queue, queued{p, info.count})
	}
	heap.Init(&m.queue)
	return m
}

func (m *merger) symbol(s string) int32 {
	id, ok := m.ids[s]
	if !ok {
		id = int32(len(m.symbols))
		m.ids[s] = id
		m.symbols = append(m.symbols, s)
	}
	return id
}

func (m *merger) spell(word string) []int32 {
	var out []int32
	for i, r := range word {
		s := string(r)
		if i > 0 {
			s = continuation + s
		}
		if id, ok := m.ids[s]; ok {
			out = append(out, id)
		} else {
			out = append(out, gap)
		}
	}
	return out
}

// count adds n, which can be negative, to the count of a pair in a word.
func (m *merger) count(left, right int32, n int, word int32) {
	if left == gap || right == gap {
		return
	}
	p := pair{left, right}
	info := m.pairs[p]
	if info == nil {
		info = &pairInfo{}
		m.pairs[p] = info
	}
	info.count += n
	if n > 0 {
		info.words = append(info.words, word)
	}
}

// merge joins the most frequent pair everywhere and returns the new piece. It
// reports false when no pair occurs minCount times.
func (m *merger) merge(minCount int) (piece string, ok bool) {
	best, ok := m.best(minCount)
	if !ok {
		return "", false
	}
	piece = m.symbols[best.left] + strings.TrimPrefix(m.symbols[best.right], continuation)
	joined := m.symbol(piece) // always new: the same letters are split the same way everywhere
	grown := make(map[pair]bool)
	for _, w := range m.pairs[best].words {
		m.join(w, best, joined, grown)
	}
	delete(m.pairs, best)
	for p := range grown {
		heap.Push(&m.queue, queued{p, m.pairs[p].count})
	}
	return piece, true
}

// best removes the most frequent pair from the queue and returns it. An entry with an outdated
// count goes back with its current count. Counts of old pairs only fall, so the current count
// never comes before earlier entries.
func (m *merger) best(minCount int) (pair, bool) {
	for m.queue.Len() > 0 {
		top := heap.Pop(&m.queue).(queued)
		info := m.pairs[top.pair]
		switch {
		case info == nil || info.count < minCount:
		case info.count != top.count:
			heap.Push(&m.queue, queued{top.pair, info.count})
		default:
			return top.pair, true
		}
	}
	return pair{}, false
}

// join replaces a pair in one word and moves the counts of the neighbours.
// Pairs that became more frequent are noted in grown.
func (m *merger) join(word int32, p pair, joined int32, grown map[pair]bool) {
	w := &m.words[word]
	s := w.symbols
	for i := 0; i+1 < len(s); i++ {
		if s[i] != p.left || s[i+1] != p.right {
			continue
		}
		if i > 0 {
			m.count(s[i-1], s[i], -w.count, word)
			m.grow(s[i-1], joined, w.count, word, grown)
		}
		if i+2 < len(s) {
			m.count(s[i+1], s[i+2], -w.count, word)
			m.grow(joined, s[i+2], w.count, word, grown)
		}
		s[i] = joined
		s = slices.Delete(s, i+1, i+2)
	}
	w.symbols = s
}

func (m *merger) grow(left, right int32, n int, word int32, grown map[pair]bool) {
	m.count(left, right, n, word)
	if left != gap && right != gap {
		grown[pair{left, right}] = true
	}
}

// queued is a pair with the count it had when it entered the queue.
type queued struct {
	pair  pair
	count int
}

// pairQueue is a heap: the most frequent pair first, then the pair with the oldest symbols, so that
// equal counts have a fixed order.
type pairQueue []queued

// Len returns the number of pairs.
func (q pairQueue) Len() int { return len(q) }

// Swap exchanges two pairs.
func (q pairQueue) Swap(i, j int) { q[i], q[j] = q[j], q[i] }

// Less reports whether pair i is merged before pair j.
func (q pairQueue) Less(i, j int) bool {
	a, b := q[i], q[j]
	return cmp.Or(cmp.Compare(b.count, a.count), cmp.Compare(a.pair.left, b.pair.left),
		cmp.Compare(a.pair.right, b.pair.right)) < 0
}

// Push implements heap.Interface.
func (q *pairQueue) Push(x any) { *q = append(*q, x.(queued)) }

// Pop implements heap.Interface.
func (q *pairQueue) Pop() any {
	old := *q
	last := old[len(old)-1]
	*q = old[:len(old)-1]
	return last
}
