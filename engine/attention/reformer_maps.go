package attention

import (
	"math"
	"slices"
	"sync"

	"attnatlas/engine/ad"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
	"attnatlas/engine/trace"
)

// The maps of words in windows.

// show records the buckets, the order and the implied maps of pairs. s are the scores and a the
// weights, both [B,H,M,W].
func (w *windows) show(p *nn.Pass, s, a *ad.Var, cells []uint8) {
	can := sync.OnceValue(func() func(h, q, k int) bool { return w.reach(cells) })
	reach := func(h, q, k int) bool { return can()(h, q, k) }
	head, round, slot, pair := trace.Axis{Role: trace.Head}, trace.Axis{Role: trace.Round}, trace.Axis{Role: trace.Slot,
		Name: "place in the order"}, []trace.Axis{{Role: trace.Query}, {Role: trace.Key}}
	put := func(name, tex string, k trace.Kind, v *tensor.T, apart func(h, q, k int) bool, axes ...trace.Axis) {
		m := trace.Map{Name: name, Tex: tex, Kind: k, Value: v, HeadReach: apart, Axes: axes}
		if apart != nil {
			m.Reach = ofAny(w.heads, apart)
		}
		p.Show(m)
	}
	// made records the origins of the numbers that put has recorded.
	made := func(name string, v *tensor.T, origin func(i int) ad.Origin) *ad.Var {
		if !p.Tape.Explains() {
			return nil
		}
		derived := p.Tape.Derive(v, origin)
		p.Name(name, derived)
		return derived
	}
	put("buckets", `b_r(i) = \arg\max([q_iR_r; -q_iR_r])`, trace.Category, w.integers(w.buckets, w.n), nil, head, round,
		trace.Axis{Role: trace.Token})
	put("order", `\text{sorted by } (b_r(i), i)`, trace.Category, w.integers(w.order, w.padded), nil, head, round, slot)
	one, z := w.eachRound(s.Value)
	put("round logits", `z_r = \log\sum_j \exp S^{(r)}_{ij}`, trace.Activation, z, nil, head, slot)
	put("window weights", `\exp(S^{(r)}_{ij} - z_r)`, trace.Probability, one, nil, head, slot, slot)
	alone := made("window weights", one, func(i int) ad.Origin {
		wide := one.Dim(3)
		return ad.Origin{Operation: ad.Softmaxed, X: ad.Several(s, i/wide*wide, 1, wide), Own: i % wide}
	})
	shares := w.shares(a.Value)
	put("round weights", `\exp(z_r - z)`, trace.Gate, shares, nil, head, round, trace.Axis{Role: trace.Token})
	made("round weights", shares, w.origins(a, func(r row, _ int) int { return (r.plane*w.rounds+r.round)*w.n + r.query }))
	if p.Wants("weights by round") || p.Tape.Explains() {
		byRound := w.pairs(one, w.rounds)
		put("weights by round", `A^{(r)}`, trace.Probability, byRound, reach, append([]trace.Axis{head, round}, pair...)...)
		made("weights by round", byRound, w.origins(alone, w.pair(w.rounds)))
	}
	all := w.pairs(a.Value, 1).Reshape(w.batch, w.heads, w.n, w.n)
	put("weights", `A = \sum_r \exp(z_r - z)A^{(r)}`, trace.Probability, all, reach,
		append([]trace.Axis{head}, pair...)...)
	made("weights", all, w.origins(a, w.pair(1)))
}

// origins returns the origins of numbers that are sums of weights a [B,H,M,W]. Cell i of row r adds
// to number at(r, i), or to none if that is negative.
func (w *windows) origins(a *ad.Var, at func(r row, i int) int) func(i int) ad.Origin {
	list := sync.OnceValue(func() map[int][]ad.Number {
		list := map[int][]ad.Number{}
		w.rows(func(r row) {
			for i := range r.keys {
				if number := at(r, i); r.query < w.n && number >= 0 {
					list[number] = append(list[number], ad.Number{Of: a, At: r.first + i})
				}
			}
		})
		return list
	})
	return func(i int) ad.Origin {
		if from := list()[i]; len(from) > 0 {
			return ad.Origin{Operation: ad.Summed, X: from, Scale: 1}
		}
		return ad.Nothing()
	}
}

// pair returns a function for the index of a pair of words in the matrices of all pairs (see
// pairs).
func (w *windows) pair(rounds int) func(r row, i int) int {
	return func(r row, i int) int {
		if r.keys[i] >= w.n {
			return -1
		}
		return ((r.plane*rounds+r.round%rounds)*w.n+r.query)*w.n + r.keys[i]
	}
}

// integers returns the first count numbers of each round of the lists: [B,H,R,count].
func (w *windows) integers(lists [][]int, count int) *tensor.T {
	t := tensor.New(w.batch, w.heads, w.rounds, count)
	for i := range t.Data {
		plane, r := i/(w.rounds*count), i/count%w.rounds
		t.Data[i] = tensor.Elem(of(lists, plane)[r*w.padded+i%count])
	}
	return t
}

// eachRound returns the softmax within each single window [B,H,M,W], and the logarithms of its
// denominators [B,H,M].
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

// shares returns the sums of a over each window, by token: [B,H,R,N].
func (w *windows) shares(a *tensor.T) *tensor.T {
	t := tensor.New(w.batch, w.heads, w.rounds, w.n)
	w.rows(func(r row) {
		if r.query < w.n {
			sum := &t.Data[(r.plane*w.rounds+r.round)*w.n+r.query]
			for i := range r.keys {
				*sum += a.Data[r.first+i]
			}
		}
	})
	return t
}

// pairs copies weights [B,H,M,W] to their places in matrices of all pairs [B,H,R,N,N], or adds the
// rounds up [B,H,1,N,N].
func (w *windows) pairs(a *tensor.T, rounds int) *tensor.T {
	t := tensor.New(w.batch, w.heads, rounds, w.n, w.n)
	w.rows(func(r row) {
		for i, k := range r.keys {
			if r.query < w.n && k < w.n {
				t.Data[((r.plane*rounds+r.round%rounds)*w.n+r.query)*w.n+k] += a.Data[r.first+i]
			}
		}
	})
	return t
}

// reach reports which word can attend to which in some round of head h; each head is hashed
// separately. If all cells of a window are hidden, the word attends to all of them.
func (w *windows) reach(cells []uint8) func(h, q, k int) bool {
	can := make([]bool, w.heads*w.n*w.n)
	w.rows(func(r row) {
		classes := cells[r.first:][:len(r.keys)]
		visible := func(c uint8) bool { return c == seen || c == self }
		alone := !slices.ContainsFunc(classes, visible)
		for i, c := range classes {
			if r.query < w.n && (visible(c) || c == hidden && alone) {
				can[(r.plane%w.heads*w.n+r.query)*w.n+r.keys[i]] = true
			}
		}
	})
	return func(h, q, k int) bool { return can[(h*w.n+q)*w.n+k] }
}

// ofAny returns the union of the reaches of all heads.
func ofAny(heads int, reach func(h, q, k int) bool) func(q, k int) bool {
	return func(q, k int) bool {
		for h := range heads {
			if reach(h, q, k) {
				return true
			}
		}
		return false
	}
}
