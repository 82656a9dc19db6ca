package ad

import (
	"fmt"
	"math"

	"attnatlas/engine/tensor"
)

// Cell is the class of a query and a key of its block.
type Cell uint8

// The classes of cells, which determine how softmax treats the score.
const (
	Open      Cell = iota // the score counts
	Outside               // not computed for this query: its weight is 0
	Forbidden             // the layout's Forbidden replaces the score
	Penalised             // the layout's Penalty is added to the score
	Sunk                  // like Forbidden, but the gradient still flows, as if a penalty were added
)

// Span is the range of positions From ≤ i < To.
type Span struct{ From, To int }

// Block is a span of queries that attend to the same keys.
type Block struct {
	Queries Span
	Keys    []Span // in ascending order, without overlap
	Cells   []Cell // [queries,keys]; nil: all are open
}

// width returns the number of keys of the block.
func (k *Block) width() int {
	w := 0
	for _, s := range k.Keys {
		w += s.To - s.From
	}
	return w
}

// Pattern describes which of M keys the N queries of one head of one sequence attend to. No query
// is in two blocks. A query that is in no block attends to nothing.
type Pattern []Block

// Sparse is the layout of the scores and weights of patterns: an array [cells] that holds one
// matrix [queries,keys] per block. Cost and memory are proportional to the number of cells. No N×M
// array is formed.
type Sparse struct {
	// Forbidden replaces the scores of forbidden and sunk cells. Penalty is added to the scores of
	// penalised cells.
	Forbidden, Penalty Elem
	batch, heads, n, m int
	patterns           []Pattern // [B·H]
	cells              int
}

// NewSparse lays out the patterns of every head a of every sequence b.
func NewSparse(batch, heads, n, m int, pattern func(b, a int) Pattern) *Sparse {
	s := &Sparse{batch: batch, heads: heads, n: n, m: m, patterns: make([]Pattern, batch*heads)}
	for i := range s.patterns {
		s.patterns[i] = pattern(i/heads, i%heads)
	}
	s.blocks(func(b blockAt) { s.cells = b.at + b.rows*b.cols })
	return s
}

// blockAt is a block with its position in an array of cells.
type blockAt struct {
	*Block
	b, a, at, rows, cols int
}

// matrix returns the block's part of an array of cells.
func (k blockAt) matrix(cells []Elem) []Elem { return cells[k.at:][:k.rows*k.cols] }

func (s *Sparse) blocks(do func(blockAt)) {
	at := 0
	for i, pattern := range s.patterns {
		for j := range pattern {
			k := &pattern[j]
			b := blockAt{k, i / s.heads, i % s.heads, at, k.Queries.To - k.Queries.From, k.width()}
			do(b)
			at += b.rows * b.cols
		}
	}
}

// side holds the data, or the adjoint, of the queries or the keys of a layout.
type side struct {
	heads
	data []Elem
}

// spans calls do with the cells of every span of every block, and with the corresponding rows of
// queries [N,·] and keys [M,·].
func (s *Sparse) spans(cells []Elem, queries, keys side, do func(cells, q, k tensor.Matrix)) {
	s.blocks(func(b blockAt) {
		q, all, col := rowsOf(queries.view(queries.data, b.b, b.a), b.Queries), keys.view(keys.data, b.b, b.a), 0
		for _, span := range b.Keys {
			k := rowsOf(all, span)
			if b.rows > 0 && k.Rows > 0 {
				do(tensor.Matrix{Data: b.matrix(cells)[col:], Rows: b.rows, Cols: k.Rows, Stride: b.cols}, q, k)
			}
			col += k.Rows
		}
	})
}

// fit panics unless q has the layout's queries and k has its keys.
func (s *Sparse) fit(op string, hq, hk heads) {
	if hq.batch != s.batch || hk.batch != s.batch || hq.n != s.n || hk.n != s.m || hq.width != hk.width {
		panic(tensor.ShapeError{Op: "ad.Sparse." + op,
			Want: fmt.Sprintf("[%d,%d,d] and [%d,%d,d]", s.batch, s.n, s.batch, s.m),
			Got:  fmt.Sprintf("[%d,%d,%d] and [%d,%d,%d]", hq.batch, hq.n, hq.width, hk.batch, hk.n, hk.width)})
	}
}

// place returns the query and the key of cell i of an array of cells, its block b, and its index at
// within the block.
func (s *Sparse) place(i int) (b blockAt, query, key, at int) {
	s.blocks(func(one blockAt) {
		if one.at <= i && i < one.at+one.rows*one.cols {
			b, at = one, i-one.at
		}
	})
	query, key = b.Queries.From+at/b.cols, at%b.cols
	for _, span := range b.Keys {
		if n := span.To - span.From; key < n {
			return b, query, span.From + key, at
		} else {
			key -= n
		}
	}
	return b, query, -1, at
}

// Scores returns scale · q_i·k_j for every cell: q [N,d], k [M,d] → [cells]. Cost: 2·d_h FLOPs per
// cell.
func (s *Sparse) Scores(q, k *Var, scale Elem) *Var {
	hq, hk := headsOf(q, s.heads), headsOf(k, s.heads)
	s.fit("Scores", hq, hk)
	t := q.tape
	x := t.result([]*Var{q, k}, s.cells)
	x.explain(func(i int) Origin {
		b, query, key, _ := s.place(i)
		return dot(Several(q, hq.at(b.b, b.a, query), 1, hq.width), Several(k, hk.at(b.b, b.a, key), 1, hk.width), scale)
	})
	s.spans(x.Value.Data, side{hq, q.Value.Data}, side{hk, k.Value.Data}, func(x, q, k tensor.Matrix) {
		tensor.Gemm(x, q, k.T(), scale, tensor.Overwrite)
	})
	t.record(x, func(dx []Elem) {
		if q.active {
			s.spans(dx, side{hq, q.sum()}, side{hk, k.Value.Data}, func(dx, dq, k tensor.Matrix) {
				tensor.Gemm(dq, dx, k, scale, tensor.Accumulate)
			})
		}
		if k.active {
			s.spans(dx, side{hq, q.Value.Data}, side{hk, k.sum()}, func(dx, q, dk tensor.Matrix) {
				tensor.Gemm(dk, dx.T(), q, scale, tensor.Accumulate)
			})
		}
	})
	return x
}

// Softmax turns the scores of each query into weights that sum to 1, according to the classes of
// its cells. A query with only Outside cells has weights 0. A query with only Forbidden or Sunk
// cells attends to all of them equally.
func (s *Sparse) Softmax(x *Var) *Var {
	t := x.tape
	classed := s.classed(x)
	y := t.result([]*Var{x}, s.cells)
	y.explain(func(i int) Origin { return s.softmaxOf(classed, i) })
	s.blocks(func(b blockAt) {
		part := b.matrix(y.Value.Data)
		copy(part, b.matrix(x.Value.Data))
		if b.Cells == nil {
			tensor.SoftmaxRows(part, part, b.cols)
			return
		}
		for i, c := range b.Cells {
			switch c {
			case Outside:
				part[i] = Elem(math.Inf(-1))
			case Forbidden, Sunk:
				part[i] = s.Forbidden
			case Penalised:
				part[i] += s.Penalty
			}
		}
		tensor.SoftmaxRows(part, part, b.cols)
		for i, c := range b.Cells { // softmax gives them weights if a row has no score
			if c == Outside {
				part[i] = 0
			}
		}
	})
	t.record(y, func(dy []Elem) {
		dx := t.array(s.cells)
		s.blocks(func(b blockAt) {
			part := b.matrix(dx.Data)
			tensor.SoftmaxRowsBackward(part, b.matrix(y.Value.Data), b.matrix(dy), b.cols)
			for i, c := range b.Cells {
				if c == Outside || c == Forbidden {
					part[i] = 0
				}
			}
		})
		x.add(dx.Data)
	})
	return y
}

// classed returns the scores, adjusted by their classes, of which softmax takes the exponentials.
// It is for tapes that explain.
func (s *Sparse) classed(x *Var) *Var {
	if !x.tape.explains {
		return nil
	}
	y := x.tape.result([]*Var{x}, s.cells)
	s.blocks(func(b blockAt) {
		part := b.matrix(y.Value.Data)
		copy(part, b.matrix(x.Value.Data))
		for i, c := range b.Cells {
			switch c {
			case Forbidden, Sunk:
				part[i] = s.Forbidden
			case Penalised:
				part[i] += s.Penalty
			}
		}
	})
	y.explain(func(i int) Origin {
		switch b, _, _, at := s.place(i); {
		case b.Cells == nil || b.Cells[at] == Open || b.Cells[at] == Outside:
			return copied(x, i)
		case b.Cells[at] == Penalised:
			o := sums(Number{x, i})
			o.Constant = float64(s.Penalty)
			return o
		}
		return constant(s.Forbidden)
	})
	return y
}

// softmaxOf returns the origin of weight i from the classed scores of its query.
func (s *Sparse) softmaxOf(classed *Var, i int) Origin {
	b, _, _, at := s.place(i)
	o := Origin{Operation: Softmaxed}
	for col := range b.cols {
		cell := at/b.cols*b.cols + col
		if b.Cells != nil && b.Cells[cell] == Outside {
			if cell == at {
				return constant(0)
			}
			continue
		}
		if cell == at {
			o.Own = len(o.X)
		}
		o.X = append(o.X, Number{classed, b.at + cell})
	}
	return o
}

// Mix returns y_i = Σ_j a_ij·v_j over the cells of each query, with concatenated heads: a [cells],
// v [M,d] → [N,d]. Cost: 2·d_h FLOPs per cell.
func (s *Sparse) Mix(a, v *Var) *Var {
	t, hv := v.tape, headsOf(v, s.heads)
	hy := hv
	hy.n = s.n
	s.fit("Mix", hy, hv)
	y := t.result([]*Var{a, v}, s.batch, s.n, v.Dim(2))
	y.explain(func(i int) Origin { return s.mixOf(a, v, hy, i) })
	clear(y.Value.Data)
	s.spans(a.Value.Data, side{hy, y.Value.Data}, side{hv, v.Value.Data}, func(a, y, v tensor.Matrix) {
		tensor.Gemm(y, a, v, 1, tensor.Accumulate)
	})
	t.record(y, func(dy []Elem) {
		if a.active {
			da, u := a.grow()
			s.spans(da.Data, side{hy, dy}, side{hv, v.Value.Data}, func(da, dy, v tensor.Matrix) {
				tensor.Gemm(da, dy, v.T(), 1, u)
			})
		}
		if v.active {
			s.spans(a.Value.Data, side{hy, dy}, side{hv, v.sum()}, func(a, dy, dv tensor.Matrix) {
				tensor.Gemm(dv, a.T(), dy, 1, tensor.Accumulate)
			})
		}
	})
	return y
}

// mixOf returns the origin of number i of Mix.
func (s *Sparse) mixOf(a, v *Var, hy heads, i int) Origin {
	seq, head, row, f := hy.of(i)
	hv := headsOf(v, s.heads)
	o := dot(nil, nil, 1)
	s.blocks(func(b blockAt) {
		if b.b != seq || b.a != head || row < b.Queries.From || row >= b.Queries.To {
			return
		}
		at := b.at + (row-b.Queries.From)*b.cols
		for _, span := range b.Keys {
			for k := span.From; k < span.To; k, at = k+1, at+1 {
				o.X, o.Y = append(o.X, Number{a, at}), append(o.Y, Number{v, hv.at(seq, head, k) + f})
			}
		}
	})
	return o
}

// Spread is Dense on a tape: it returns the cells as an array [B,H,N,M].
func (s *Sparse) Spread(cells *Var) *Var {
	y := cells.tape.result([]*Var{cells}, s.batch, s.heads, s.n, s.m)
	copy(y.Value.Data, s.Dense(cells.Value).Data)
	y.explain(func(i int) Origin {
		b, a, row, col := planesOf(y.Value).of(i)
		o := constant(0)
		for at := range s.cells {
			if in, query, key, of := s.place(at); in.b == b && in.a == a && query == row && key == col &&
				(in.Cells == nil || in.Cells[of] != Outside) {
				o = copied(cells, at)
			}
		}
		return o
	})
	return y
}

// Dense returns the cells as an array [B,H,N,M] for maps. Elements outside the pattern are 0.
func (s *Sparse) Dense(cells *tensor.T) *tensor.T {
	out := tensor.New(s.batch, s.heads, s.n, s.m)
	s.blocks(func(b blockAt) {
		part, at := b.matrix(cells.Data), 0
		for q := b.Queries.From; q < b.Queries.To; q++ {
			row := out.Data[((b.b*s.heads+b.a)*s.n+q)*s.m:]
			for _, span := range b.Keys {
				for k := span.From; k < span.To; k++ {
					if b.Cells == nil || b.Cells[at] != Outside {
						row[k] = part[at]
					}
					at++
				}
			}
		}
	})
	return out
}
