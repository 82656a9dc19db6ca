package attention

import (
	"slices"

	"attnatlas/engine/ad"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
)

// windows holds the words of a text in sorted order, R times over, divided into chunks. A plane is
// one head of one sequence. A place is a number 0 … M−1 in the sorted list, with M = R·padded;
// round r has the places from r·padded on. Tokens n … padded−1 are padding that fills the last
// chunk; no word attends to them. There is one list for each plane, or one for all planes if
// nothing is sorted.
type windows struct {
	ad.Chunks
	batch, heads      int
	n, padded, rounds int
	last              int     // bucket of padding
	strict            bool    // a word attends only to words of its bucket in the same round
	notSelf           bool    // a word attends to itself only if there is no other word
	buckets           [][]int // by plane: bucket of token i in round r, at r·padded+i
	order             [][]int // by plane: token at each place
	at                [][]int // like order, with ad.Absent for padding
	places            [][]int // by plane: place of token i in round r, at i·R+r
	back              [][]int // by plane: inverse of places
}

// sort hashes the words and sorts them by bucket, unless they fit into one chunk.
func (m *lsh) sort(p *nn.Pass, qk *tensor.T) *windows {
	n := qk.Dim(1)
	if n <= m.chunks.Size {
		w := m.inOrder(qk.Dim(0), n)
		w.notSelf = true
		return w
	}
	w := &windows{Chunks: m.chunks, batch: qk.Dim(0), heads: m.Heads, n: n, padded: roundUp(n, m.chunks.Size),
		rounds: m.rounds, notSelf: true, strict: m.strict}
	factors := m.bucketFactors(w.padded)
	rotations := m.directions(p.Rand, factors)
	_, w.last = count(factors)
	keys := p.Mask.Readable(w.batch, n)
	for plane := range w.batch * w.heads {
		w.add(p.Choose(func() []int {
			buckets := m.hash(qk, rotations, plane, factors) // [R·padded], 0 … last-1
			for i := range buckets {
				if token := i % w.padded; token >= n || keys != nil && !keys[plane/w.heads*n+token] {
					buckets[i] = w.last
				}
			}
			return buckets
		}))
	}
	return w
}

// inOrder returns the windows of a text that is not sorted: one round, with the chunks themselves
// as buckets. A text that fits into one chunk is one window.
func (o reformerConfig) inOrder(batch, n int) *windows {
	w := &windows{Chunks: o.chunks, batch: batch, heads: o.Heads, n: n, padded: roundUp(n, o.chunks.Size), rounds: 1}
	if n <= o.chunks.Size {
		w.padded, w.Chunks = n, ad.Chunks{Size: n}
	}
	buckets := make([]int, w.padded)
	for i := range buckets {
		buckets[i] = i / w.Size
	}
	w.last = w.padded / w.Size
	w.add(buckets)
	return w
}

// add sorts one plane by bucket and then by position, round by round, with a counting sort.
func (w *windows) add(buckets []int) {
	m := len(buckets)
	order, at, back, places := make([]int, m), make([]int, m), make([]int, m), make([]int, w.n*w.rounds)
	first := make([]int, w.last+2) // where each bucket begins
	for r := range w.rounds {
		round := buckets[r*w.padded:][:w.padded]
		clear(first)
		for _, b := range round {
			first[b+1]++
		}
		for b := range w.last + 1 {
			first[b+1] += first[b]
		}
		for token, b := range round {
			place := r*w.padded + first[b]
			first[b]++
			order[place], at[place], back[place] = token, ad.Absent, ad.Absent
			if token < w.n {
				at[place], back[place], places[token*w.rounds+r] = token, token*w.rounds+r, place
			}
		}
	}
	w.buckets, w.order = append(w.buckets, buckets), append(w.order, order)
	w.at, w.places, w.back = append(w.at, at), append(w.places, places), append(w.back, back)
}

// of returns the list of a plane.
func of(lists [][]int, plane int) []int { return lists[plane%len(lists)] }

// seen, hidden, self and absent are the classes of a cell of the scores.
const (
	seen   uint8 = iota
	hidden       // by the mask, by strict, or blocked
	self         // the word itself, which it attends to only if everything else is hidden
	absent       // padding of a chunk
)

// cellScores are the scores that replace those of these classes. Hidden cells count only if there
// is nothing else; absent cells never count.
var cellScores = []ad.Replacement{hidden - 1: {Value: nn.Masked}, self - 1: {Value: -1e5},
	absent - 1: {Value: 2 * nn.Masked}}

// mix computes the output [N,H·d_h] from the scores of all windows [H,M,W] and the values
// [N,H·d_h].
func (w *windows) mix(p *nn.Pass, s, v *ad.Var) *ad.Var {
	v = p.Values(v)
	cells, wide := w.cells(p.Mask), w.Window()
	s = ad.Replace(s, cells, cellScores...) // [H,M,W]
	p.Name("window scores", s)
	a := ad.GatherPlanes(s, w.places)                                                // [H,N·R,W]: by word
	a = ad.Softmax(ad.Reshape(a, w.batch, w.heads, w.n, w.rounds*wide))              // [H,N,R·W]
	a = ad.GatherPlanes(ad.Reshape(a, w.batch, w.heads, w.n*w.rounds, wide), w.back) // [H,M,W]
	p.Name("joint weights", a)
	a = w.rest(p, a, cells)
	if p.Watched() {
		w.show(p, s, a, cells)
	}
	if p.Sums() {
		p.Sum(w.pairs(a.Value, 1).Reshape(w.batch, w.heads, w.n, w.n), v.Value)
	}
	y := ad.ChunkMix(a, ad.GatherHeads(v, w.heads, w.at), w.Chunks) // [H,M,d_h]
	return ad.ScatterHeads(y, w.at, w.n)                            // [N,H·d_h]: the sum over rounds
}

// row is the window of one place in one plane. keys are the tokens at the places sees. Its cells
// begin at first in an array [B,H,M,W]. Tokens from n on are padding.
type row struct {
	plane, round, place, query int
	sees, keys                 []int
	first                      int
}

// rows calls do for every place of every plane.
func (w *windows) rows(do func(r row)) {
	m, wide := w.rounds*w.padded, w.Window()
	r := row{sees: make([]int, wide), keys: make([]int, wide)}
	for chunk := range m / w.Size {
		for i := range r.sees {
			r.sees[i] = w.Source(chunk, i/w.Size, m/w.Size)*w.Size + i%w.Size
		}
		for r.plane = range w.batch * w.heads {
			order := of(w.order, r.plane)
			for i, place := range r.sees {
				r.keys[i] = order[place]
			}
			for r.place = chunk * w.Size; r.place < (chunk+1)*w.Size; r.place++ {
				r.round, r.query, r.first = r.place/w.padded, order[r.place], (r.plane*m+r.place)*wide
				do(r)
			}
		}
	}
}

// cells returns the classes of all cells of the scores [B,H,M,W].
func (w *windows) cells(mask nn.Mask) []uint8 {
	cells := make([]uint8, w.batch*w.heads*w.rounds*w.padded*w.Window())
	open := mask.Open()
	w.rows(func(r row) {
		q, row := r.query, cells[r.first:][:len(r.keys)]
		for i, k := range r.keys {
			switch {
			case k >= w.n:
				row[i] = absent
			case w.strict && !w.together(r, i):
				row[i] = hidden
			case w.notSelf && q == k:
				row[i] = self
			case !open && q < w.n && !mask.Reads(r.plane/w.heads, r.plane%w.heads, q, k):
				row[i] = hidden
			}
		}
	})
	return cells
}

// rest returns the weights [H,M,W], with zeros for words in whose window everything is blocked.
// There are no such words if a word can attend to itself when there is no other word.
func (w *windows) rest(p *nn.Pass, a *ad.Var, cells []uint8) *ad.Var {
	if p.Mask.Cut.Empty() || w.notSelf {
		return a
	}
	kept, wide := tensor.New(a.Shape()...), w.Window()
	for i := range kept.Data {
		row := cells[i/wide*wide:][:wide]
		if slices.Contains(row, seen) {
			kept.Data[i] = 1
		}
	}
	return ad.Mul(a, p.Tape.Const(kept))
}

// together reports whether a word and key i of its row are in the same bucket of the same round.
func (w *windows) together(r row, i int) bool {
	buckets := of(w.buckets, r.plane)[r.round*w.padded:][:w.padded]
	return r.sees[i]/w.padded == r.round && buckets[r.query] == buckets[r.keys[i]]
}
