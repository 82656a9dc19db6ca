package explain

import (
	"cmp"
	"math"
	"slices"

	"attnatlas/engine/attention"
	"attnatlas/engine/fault"
	"attnatlas/engine/svd"
	"attnatlas/engine/tensor"
	"attnatlas/engine/trace"
)

// Plane holds the queries and keys of a head as points in a plane. Their inner products approximate
// the head's scores best.
//
// A softmax does not change if all keys move by the same vector, so only s_ij = c·q_i·(k_j − k̄)
// determines the weights. With the singular values σ of S, S = Σ_r σ_r·u_r·v_rᵀ, take the points
// √σ_r·u_r and √σ_r·v_r for r = 1, 2. Their products are the best approximation of S by points in a
// plane (Eckart, Young 1936; as a picture: Gabriel 1971).
type Plane struct {
	Layer, Head   int           // from 1
	Values        []float64     // σ, largest first
	Queries, Keys []*[2]float64 // of the tokens; a query is nil if the mechanism does not compare it in this way
	Scores        *tensor.T     // S [N,N]
	Weights       trace.Map     // [N,N]
}

// Share returns the fraction of the sum of squared scores in the dimensions from … to-1, 0…1.
func (p *Plane) Share(from, to int) float64 {
	kept, all := 0.0, 0.0
	for i, v := range p.Values {
		all += v * v
		if i >= from && i < to {
			kept += v * v
		}
	}
	if all == 0 {
		return 0
	}
	return kept / all
}

// Score returns the score of two tokens, from 0, according to the points.
func (p *Plane) Score(query, key int) float64 {
	q, k := p.Queries[query], p.Keys[key]
	if q == nil {
		return 0
	}
	return q[0]*k[0] + q[1]*k[1]
}

// Moved returns the share of attention, 0…1, that would go to other tokens if the softmax used the
// scores of the plane: the mean total variation distance of rows.
func (p *Plane) Moved() float64 {
	sum, rows := 0.0, 0
	for i, q := range p.Queries {
		if q == nil {
			continue
		}
		rows++
		row, total := make([]float64, len(p.Keys)), 0.0
		for j := range row { // each weight has exp(score) as a factor
			row[j] = float64(p.Weights.Value.At(i, j)) * math.Exp(p.Score(i, j)-float64(p.Scores.At(i, j)))
			total += row[j]
		}
		for j := range row {
			if total > 0 {
				sum += math.Abs(row[j]/total-float64(p.Weights.Value.At(i, j))) / 2
			}
		}
	}
	return sum / float64(max(rows, 1))
}

// Largest returns at most most tokens, from 0, with the largest weights of a query.
func (p *Plane) Largest(query, most int) []int {
	var all []int
	for j := range p.Keys {
		if p.Weights.Value.At(query, j) > 0 {
			all = append(all, j)
		}
	}
	slices.SortStableFunc(all, func(a, b int) int {
		return cmp.Compare(p.Weights.Value.At(query, b), p.Weights.Value.At(query, a))
	})
	return all[:min(len(all), most)]
}

// Plane returns the plane of a head, from 1. e is the entry of the model's mechanism. The error
// states why a head has no plane.
func (w *Steps) Plane(e *attention.Entry, head int) (*Plane, error) {
	none := fault.Errorf(fault.Unsupported, "plane.none", "name", e.Name)
	if e.Compares == nil {
		return nil, none
	}
	at, columns := w.find(e.Compares[0]), w.find(e.Compares[1])
	weights := w.find("weights")
	if at < 0 || columns < 0 || weights < 0 {
		return nil, none
	}
	q, k := w.vectors(at, columns, head)
	if q == nil || q.Dim(0) != k.Dim(0) || q.Dim(0) != len(w.Tokens) {
		return nil, none
	}
	if at == columns {
		unit(k)
	}
	p := &Plane{Layer: w.Layer, Head: head, Weights: w.View(weights, head, 1).Map}
	scale, asks := 1/math.Sqrt(float64(q.Dim(1))), slices.Repeat([]bool{true}, q.Dim(0))
	if i := w.find("scores"); i >= 0 {
		var same bool
		if scale, asks, same = compared(q, k, w.View(i, head, 1).Map); !same {
			return nil, fault.Errorf(fault.Unsupported, "plane.other-scores", "name", e.Name)
		}
	}
	p.place(q, k, scale, asks)
	return p, nil
}

// find returns the index of the step with the key, or -1.
func (w *Steps) find(key string) int {
	return slices.IndexFunc(w.List, func(s PassStep) bool { return s.Key == key })
}

// vectors returns the queries and keys [N,d_h] of a head, from 1. Several query heads can share one
// head of keys. It returns nil if the steps are not vectors of heads.
func (w *Steps) vectors(queries, keys, head int) (q, k *tensor.T) {
	all, of := w.List[queries].Map.Value, w.List[keys].Map.Value
	if all.Rank() != 2 || of.Rank() != 2 || w.Heads == 0 || all.Dim(1)%w.Heads != 0 || head > w.Heads {
		return nil, nil
	}
	width := all.Dim(1) / w.Heads
	narrow := of.Dim(1) / width
	if narrow == 0 || of.Dim(1)%width != 0 || w.Heads%narrow != 0 {
		return nil, nil
	}
	return columnsOf(all, (head-1)*width, width), columnsOf(of, (head-1)/(w.Heads/narrow)*width, width)
}

// columnsOf returns count columns of x [N,·] from column from, as a copy.
func columnsOf(x *tensor.T, from, count int) *tensor.T {
	t := tensor.New(x.Dim(0), count)
	for i := range x.Dim(0) {
		copy(t.Data[i*count:][:count], x.Data[i*x.Dim(1)+from:])
	}
	return t
}

// unit normalises the rows of x to a mean square of 1.
func unit(x *tensor.T) {
	d := x.Dim(1)
	for i := range x.Dim(0) {
		row := x.Data[i*d:][:d]
		if square := tensor.Dot(row, row); square > 0 {
			tensor.Scale(row, tensor.Elem(1/math.Sqrt(float64(square)/float64(d))), row)
		}
	}
}

// tolerance is the permitted difference between scores and c·q·k, as a fraction of the largest
// score.
const tolerance = 1e-3

// compared fits the factor c of the scores c·q·k. asks reports which queries have scores. same
// reports whether all scores have this form; in some mechanisms, positions and other terms are
// added.
func compared(q, k *tensor.T, scores trace.Map) (scale float64, asks []bool, same bool) {
	n := q.Dim(0)
	product, square, most := 0.0, 0.0, 0.0
	asks = make([]bool, n)
	each := func(do func(p, s float64)) {
		for i := range n {
			for j := range n {
				if scores.Reaches(i, j) {
					asks[i] = true
					do(float64(tensor.Dot(row(q, i), row(k, j))), float64(scores.Value.At(i, j)))
				}
			}
		}
	}
	each(func(p, s float64) { product, square, most = product+p*s, square+p*p, max(most, math.Abs(s)) })
	if square > 0 {
		scale = product / square
	}
	same = true
	each(func(p, s float64) { same = same && math.Abs(scale*p-s) <= tolerance*most })
	return scale, asks, same
}

func row(x *tensor.T, i int) []tensor.Elem { return x.Data[i*x.Dim(1):][:x.Dim(1)] }

// place computes the points. It chooses the sign of each dimension so that its farthest key is
// positive.
func (p *Plane) place(q, k *tensor.T, scale float64, asks []bool) {
	n, d := q.Dim(0), q.Dim(1)
	for f := range d {
		mean := 0.0
		for i := range n {
			mean += float64(k.Data[i*d+f]) / float64(n)
		}
		for i := range n {
			k.Data[i*d+f] -= tensor.Elem(mean)
			q.Data[i*d+f] *= tensor.Elem(scale)
			if !asks[i] {
				q.Data[i*d+f] = 0
			}
		}
	}
	p.Scores = tensor.New(n, n)
	for i := range n {
		for j := range n {
			p.Scores.Set(tensor.Dot(row(q, i), row(k, j)), i, j)
		}
	}
	terms := svd.Decompose(q, k)
	p.Values = terms.Values
	p.Queries, p.Keys = make([]*[2]float64, n), make([]*[2]float64, n)
	for i := range n {
		if p.Keys[i] = new([2]float64); asks[i] {
			p.Queries[i] = new([2]float64)
		}
	}
	for r := range 2 {
		left, right := terms.Term(r)
		if left == nil || terms.Values[r] == 0 {
			continue
		}
		root := math.Sqrt(terms.Values[r])
		if far := slices.MaxFunc(right, func(a, b float64) int { return cmp.Compare(math.Abs(a), math.Abs(b)) }); far < 0 {
			root = -root
		}
		for i := range n {
			p.Keys[i][r] = root * right[i]
			if asks[i] {
				p.Queries[i][r] = left[i] / root
			}
		}
	}
}
