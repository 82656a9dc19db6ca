package attention

import (
	"math"
	"slices"

	"attnatlas/engine/ad"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
	"attnatlas/engine/trace"
)

// chunking is how the Reformer cuts a list of words, and its heads.
type chunking struct {
	ad.Chunks
	heads, width int // H, d_h
}

// windows are the words of a text in sorted order, R times over, cut into chunks. A plane
// is one head of one sequence. A place is a number 0 … M-1 in the sorted list, M =
// R·padded; round r has the places from r·padded. Tokens n … padded-1 fill the last
// chunk up; no word sees them.
type windows struct {
	batch, heads      int
	n, padded, rounds int
	chunks            ad.Chunks
	last              int     // the bucket of padding
	buckets           [][]int // plane → bucket of token i in round r, at r·padded+i
	order             [][]int // plane → token at each place
	at                [][]int // the same, ad.Absent for tokens that are not there
	places            [][]int // plane → the place of token i in round r, at i·R+r
	back              [][]int // plane → the inverse of places
}

// inOrder are the windows of a text that is not sorted: one round, with the chunks
// themselves as buckets. A text that fits into one chunk is one window.
func (c chunking) inOrder(batch, n int) *windows {
	w := &windows{batch: batch, heads: c.heads, n: n, padded: roundUp(n, c.Size), rounds: 1, chunks: c.Chunks}
	if n <= c.Size {
		w.padded, w.chunks = n, ad.Chunks{Size: n}
	}
	buckets := make([]int, w.padded)
	for i := range buckets {
		buckets[i] = i / w.chunks.Size
	}
	w.last = w.padded / w.chunks.Size
	w.add(buckets)
	return w.index()
}

// add sorts one plane by bucket and then by position, round by round.
func (w *windows) add(buckets []int) {
	order := make([]int, len(buckets))
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
		for i, b := range round {
			order[r*w.padded+first[b]] = i
			first[b]++
		}
	}
	w.buckets, w.order = append(w.buckets, buckets), append(w.order, order)
}

// index derives the other lists from the order of each plane.
func (w *windows) index() *windows {
	for _, order := range w.order {
		at, places, back := make([]int, len(order)), make([]int, w.n*w.rounds), make([]int, len(order))
		for place, token := range order {
			at[place], back[place] = ad.Absent, ad.Absent
			if token < w.n {
				at[place], back[place] = token, token*w.rounds+place/w.padded
				places[back[place]] = place
			}
		}
		w.at, w.places, w.back = append(w.at, at), append(w.places, places), append(w.back, back)
	}
	return w
}

// of is the list of a plane, of which there is one for all when nothing is sorted.
func of(lists [][]int, plane int) []int { return lists[plane%len(lists)] }

// pattern is who may read whom inside a window, besides the mask of the pass.
type pattern struct {
	strict  bool // only words of the same bucket in the same round
	notSelf bool // a word reads itself only when there is nobody else
}

// What happens to a cell of the scores.
const (
	seen   uint8 = iota
	hidden       // by the mask or by the pattern
	self         // the word's own, which it reads only when everything else is hidden
	absent       // not a word at all
)

// What stands in such cells: hidden ones count when there is nothing else, absent ones
// not even then.
var cellScores = []ad.Replacement{hidden - 1: {Value: nn.Masked}, self - 1: {Value: -1e5}, absent - 1: {Value: 2 * nn.Masked}}

// mix turns the scores of all windows [H,M,W] and the values [N,H·d_h] into [N,H·d_h].
func (w *windows) mix(p *nn.Pass, s, v *ad.Var, rule pattern) *ad.Var {
	cells := w.cells(p.Mask, rule)
	s = ad.Replace(s, cells, cellScores...)                                          // [H,M,W]
	a := ad.PlaneRows(s, w.places)                                                   // [H,N·R,W]: the windows of a word side by side
	a = ad.Softmax(ad.Reshape(a, w.batch, w.heads, w.n, w.rounds*w.chunks.Window())) // [H,N,R·W]
	a = ad.Reshape(a, w.batch, w.heads, w.n*w.rounds, w.chunks.Window())
	a = ad.PlaneRows(a, w.back) // [H,M,W]
	if p.Watched() {
		w.show(p, s.Value, a.Value, cells)
	}
	y := ad.ChunkMix(a, ad.HeadRows(v, w.heads, w.at), w.chunks) // [H,M,d_h]
	return ad.SumHeadRows(y, w.at, w.n)                          // [N,H·d_h]: the sum over rounds
}

// window lists the places that the rows of a chunk see.
func (w *windows) window(chunk int, to []int) []int {
	to = to[:0]
	chunks := w.rounds * w.padded / w.chunks.Size
	for slot := range w.chunks.Before + 1 + w.chunks.After {
		from := w.chunks.Source(chunk, slot, chunks) * w.chunks.Size
		for i := range w.chunks.Size {
			to = append(to, from+i)
		}
	}
	return to
}

// rows calls do for every place of every plane with the places that it sees; cell is
// where its row begins in an array [B,H,M,W].
func (w *windows) rows(do func(plane, place int, sees []int, cell int)) {
	var sees []int
	wide, m := w.chunks.Window(), w.rounds*w.padded
	for chunk := range m / w.chunks.Size {
		sees = w.window(chunk, sees)
		for plane := range w.batch * w.heads {
			for i := range w.chunks.Size {
				place := chunk*w.chunks.Size + i
				do(plane, place, sees, (plane*m+place)*wide)
			}
		}
	}
}

// cells says of every cell of the scores [B,H,M,W] what happens to it.
func (w *windows) cells(mask nn.Mask, rule pattern) []uint8 {
	cells := make([]uint8, w.batch*w.heads*w.rounds*w.padded*w.chunks.Window())
	open := mask.Open()
	w.rows(func(plane, place int, sees []int, cell int) {
		order, row := of(w.order, plane), cells[cell:][:len(sees)]
		q := order[place]
		for i, other := range sees {
			k := order[other]
			switch {
			case k >= w.n:
				row[i] = absent
			case rule.strict && !w.together(plane, place, other):
				row[i] = hidden
			case rule.notSelf && q == k:
				row[i] = self
			case !open && q < w.n && !mask.Allows(plane/w.heads, q, k):
				row[i] = hidden
			}
		}
	})
	return cells
}

// together says whether two places are in the same bucket of the same round.
func (w *windows) together(plane, a, b int) bool {
	order, buckets := of(w.order, plane), of(w.buckets, plane)
	r := a / w.padded
	return r == b/w.padded && buckets[r*w.padded+order[a]] == buckets[r*w.padded+order[b]]
}

// show shows the buckets, the order and the implied maps of pairs; s are the scores and
// a the weights, both [B,H,M,W].
func (w *windows) show(p *nn.Pass, s, a *tensor.T, cells []uint8) {
	reach := w.reach(cells)
	head, round, slot, pair := trace.Axis{Role: trace.Head}, trace.Axis{Role: trace.Round}, trace.Axis{Role: trace.Slot, Name: "place in the order"}, []trace.Axis{{Role: trace.Query}, {Role: trace.Key}}
	put := func(name, tex string, k trace.Kind, v *tensor.T, r func(q, k int) bool, axes ...trace.Axis) {
		p.Show(trace.Map{Name: name, Tex: tex, Kind: k, Value: v, Reach: r, Axes: axes})
	}
	put("buckets", `b_r(i) = \arg\max([q_iR_r; -q_iR_r])`, trace.Category, w.integers(w.buckets, w.n), nil, head, round, trace.Axis{Role: trace.Token})
	put("order", `\text{sorted by } (b_r(i), i)`, trace.Category, w.integers(w.order, w.padded), nil, head, round, slot)
	one, z := w.eachRound(s)
	put("round logits", `z_r = \log\sum_j \exp S^{(r)}_{ij}`, trace.Activation, z, nil, head, slot)
	put("window weights", `\exp(S^{(r)}_{ij} - z_r)`, trace.Probability, one, nil, head, slot, slot)
	put("round weights", `\exp(z_r - z)`, trace.Gate, w.shares(a), nil, head, round, trace.Axis{Role: trace.Token})
	put("weights by round", `A^{(r)}`, trace.Probability, w.pairs(one, w.rounds), reach, append([]trace.Axis{head, round}, pair...)...)
	all := w.pairs(a, 1)
	put("weights", `A = \sum_r \exp(z_r - z)A^{(r)}`, trace.Probability, all.Reshape(w.batch, w.heads, w.n, w.n), reach, append([]trace.Axis{head}, pair...)...)
}

// integers is what lists of R·padded numbers say of the first count of each round: [B,H,R,count].
func (w *windows) integers(lists [][]int, count int) *tensor.T {
	t := tensor.New(w.batch, w.heads, w.rounds, count)
	for i := range t.Data {
		plane, r := i/(w.rounds*count), i/count%w.rounds
		t.Data[i] = tensor.Elem(of(lists, plane)[r*w.padded+i%count])
	}
	return t
}

// eachRound is the softmax of every window for itself [B,H,M,W] and the logarithms of
// what it divides by [B,H,M].
func (w *windows) eachRound(s *tensor.T) (one, z *tensor.T) {
	one, z = tensor.New(s.Shape...), tensor.New(s.Shape[:3]...)
	wide := s.Dim(3)
	tensor.SoftmaxRows(one.Data, s.Data, wide)
	for i := range z.Data {
		row := s.Data[i*wide:][:wide]
		top, sum := row[0], 0.0
		for _, v := range row {
			top = max(top, v)
		}
		for _, v := range row {
			sum += math.Exp(float64(v - top))
		}
		z.Data[i] = top + tensor.Elem(math.Log(sum))
	}
	return one, z
}

// shares are the sums of a over each window, by token: [B,H,R,N].
func (w *windows) shares(a *tensor.T) *tensor.T {
	t := tensor.New(w.batch, w.heads, w.rounds, w.n)
	w.rows(func(plane, place int, sees []int, cell int) {
		if q := of(w.order, plane)[place]; q < w.n {
			sum := tensor.Elem(0)
			for _, v := range a.Data[cell:][:len(sees)] {
				sum += v
			}
			t.Data[(plane*w.rounds+place/w.padded)*w.n+q] = sum
		}
	})
	return t
}

// pairs puts weights [B,H,M,W] where they belong in matrices of all pairs [B,H,R,N,N], or
// adds the rounds up [B,H,1,N,N].
func (w *windows) pairs(a *tensor.T, rounds int) *tensor.T {
	t := tensor.New(w.batch, w.heads, rounds, w.n, w.n)
	w.rows(func(plane, place int, sees []int, cell int) {
		order := of(w.order, plane)
		if q := order[place]; q < w.n {
			r := place / w.padded % rounds
			row := t.Data[((plane*rounds+r)*w.n+q)*w.n:][:w.n]
			for i, other := range sees {
				if k := order[other]; k < w.n {
					row[k] += a.Data[cell+i]
				}
			}
		}
	})
	return t
}

// reach says which word may read which in some head and round. Where everything that a
// window shows is hidden, the word reads all of it.
func (w *windows) reach(cells []uint8) func(q, k int) bool {
	can := make([]bool, w.n*w.n)
	w.rows(func(plane, place int, sees []int, cell int) {
		order := of(w.order, plane)
		q, row := order[place], cells[cell:][:len(sees)]
		if q >= w.n {
			return
		}
		alone := !slices.ContainsFunc(row, func(c uint8) bool { return c == seen || c == self })
		for i, other := range sees {
			if c := row[i]; c == seen || c == self || c == hidden && alone {
				can[q*w.n+order[other]] = true
			}
		}
	})
	n := w.n
	return func(q, k int) bool { return can[q*n+k] }
}
