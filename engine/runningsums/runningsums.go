// Package runningsums computes the results of linear attention word after word, with sums of fixed size.
package runningsums

import (
	"attnatlas/engine/headstats"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
)

// Running shows how one head computes its result with running sums, word after word. A word adds φ(k)vᵀ to the state
// S and φ(k) to z, and a query reads φ(q)ᵀS/(φ(q)·z + ε). The map of all pairs gives the same results.
type Running struct {
	headstats.Place
	Causal bool      // every word reads the sums up to it; else all words read the sums after the last one
	State  *tensor.T // [N,d_h,d_h] S after every word, key features × value features
	Keys   *tensor.T // [N,d_h] z after every word
	Added  *tensor.T // [N,d_h,d_h] what every word adds to S
	// Read and Mapped [N,d_h] are the results of every word from the state and from the map. Model are the results in
	// the model's own pass.
	Read, Mapped, Model *tensor.T
}

// sumsEps keeps a denominator from vanishing, as in the mechanism.
const sumsEps = 1e-6

// Columns returns the columns [N,d_h] of a head, from 1, in an array [N,d] with all heads side by side.
func Columns(all *tensor.T, head, heads int) *tensor.T {
	n, d := all.Dim(0), all.Dim(1)
	w := d / heads
	out := tensor.New(n, w)
	for i := range n {
		copy(out.Data[i*w:][:w], all.Data[i*d+(head-1)*w:])
	}
	return out
}

// Of computes the results with running sums, and with a map, for q, k and v [N,d_h].
func Of(q, k, v *tensor.T, mask nn.MaskKind) *Running {
	n, w := q.Dim(0), q.Dim(1)
	s := &Running{Causal: mask == nn.Causal, State: tensor.New(n, w, w), Keys: tensor.New(n, w),
		Added: tensor.New(n, w, w), Read: tensor.New(n, w), Mapped: tensor.New(n, w)}
	state, keys := tensor.New(w, w), tensor.New(w)
	for i := range n {
		ki, vi := k.Sub(i).Data, v.Sub(i).Data
		added := s.Added.Sub(i).Data
		for a := range w {
			keys.Data[a] += ki[a]
			for b := range w {
				added[a*w+b] = ki[a] * vi[b]
				state.Data[a*w+b] += added[a*w+b]
			}
		}
		copy(s.State.Sub(i).Data, state.Data)
		copy(s.Keys.Sub(i).Data, keys.Data)
		s.readMap(q, k, v, i)
	}
	for i := range n {
		behind := n - 1
		if s.Causal {
			behind = i
		}
		s.readState(q, i, behind)
	}
	return s
}

// readState computes the result of word i from the sums after the word behind.
func (s *Running) readState(q *tensor.T, i, behind int) {
	state, keys, y := s.State.Sub(behind).Data, s.Keys.Sub(behind).Data, s.Read.Sub(i).Data
	z := tensor.Elem(0)
	for a, qa := range q.Sub(i).Data {
		z += qa * keys[a]
		for b := range y {
			y[b] += qa * state[a*len(y)+b]
		}
	}
	for b := range y {
		y[b] /= z + sumsEps
	}
}

// readMap computes the result of word i from its row of the map A_ij = φ(q_i)·φ(k_j)/(Σ_j φ(q_i)·φ(k_j) + ε).
func (s *Running) readMap(q, k, v *tensor.T, i int) {
	last := k.Dim(0) - 1
	if s.Causal {
		last = i
	}
	row, z := make([]tensor.Elem, last+1), tensor.Elem(0)
	for j := range row {
		for a, qa := range q.Sub(i).Data {
			row[j] += qa * k.Sub(j).Data[a]
		}
		z += row[j]
	}
	y := s.Mapped.Sub(i).Data
	for j, pair := range row {
		for b, vb := range v.Sub(j).Data {
			y[b] += pair / (z + sumsEps) * vb
		}
	}
}
