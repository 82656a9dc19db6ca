package ad

import (
	"fmt"

	"attnatlas/engine/tensor"
)

// Chunks describes windows in a list of rows that is divided into chunks of Size. The window of a
// row consists of its own chunk, Before chunks before it and After chunks after it. The list is
// circular: the last chunk comes before the first.
type Chunks struct{ Size, Before, After int }

// Window returns the number of rows in a window. If there are fewer chunks than that, some occur
// more than once.
func (c Chunks) Window() int { return (c.Before + 1 + c.After) * c.Size }

// Source returns the chunk at place slot (0 … Before+After) in the window of a chunk.
func (c Chunks) Source(chunk, slot, chunks int) int {
	return ((chunk+slot-c.Before)%chunks + chunks) % chunks
}

// seen returns the row in column col of the window of a row.
func (c Chunks) seen(row, col, rows int) int {
	return c.Source(row/c.Size, col/c.Size, rows/c.Size)*c.Size + col%c.Size
}

// mustCut panics unless rows can be divided into chunks.
func (c Chunks) mustCut(op string, rows int) {
	if c.Size < 1 || c.Before < 0 || c.After < 0 || rows%c.Size != 0 {
		panic(tensor.ShapeError{Op: "ad." + op, Want: fmt.Sprintf("rows in chunks of %d", c.Size), Got: fmt.Sprint(rows)})
	}
}

// runs calls do for every place of the window, with runs of chunks whose source chunks are
// consecutive. At this place, the chunks from … from+count−1 have the source chunks source …
// source+count−1.
func (c Chunks) runs(chunks int, do func(slot, from, source, count int)) {
	for slot := range c.Before + 1 + c.After {
		source := c.Source(0, slot, chunks)
		do(slot, 0, source, chunks-source)
		if source > 0 {
			do(slot, chunks-source, 0, source)
		}
	}
}

// products calls do for every run of every head. The arguments are its part of cells [H,M,W], of
// the rows with these windows [H,M,w], and of the rows in the windows [H,M,w], with one matrix per
// chunk.
func (c Chunks) products(p planes, cells, rows, seen []Elem, do func(cells, rows, seen tensor.Batch)) {
	wide := planes{p.batch, p.heads, p.rows, c.Window()}
	each(p.batch, p.heads, func(b, a int) {
		cells, rows, seen := wide.view(cells, b, a), p.view(rows, b, a), p.view(seen, b, a)
		c.runs(p.rows/c.Size, func(slot, from, source, count int) {
			place := cells
			place.Data, place.Cols = cells.Data[slot*c.Size:], c.Size
			do(c.blocks(place, from, count), c.blocks(rows, from, count), c.blocks(seen, source, count))
		})
	})
}

// blocks returns count consecutive chunks of a matrix.
func (c Chunks) blocks(v tensor.Matrix, from, count int) tensor.Batch {
	v.Data, v.Rows = v.Data[from*c.Size*v.Stride:], c.Size
	return tensor.Batch{First: v, Step: c.Size * v.Stride, Count: count}
}

func transposed(b tensor.Batch) tensor.Batch {
	b.First = b.First.T()
	return b
}

// ChunkScores returns scale · q_i·k_j for every row i and the rows j of its window: q, k [H,M,w] →
// [H,M,W] with W = c.Window(). The chunks before come first, then its own, then those after. Cost:
// 2·M·W·w FLOPs per head.
func ChunkScores(q, k *Var, c Chunks, scale Elem) *Var {
	if !q.Value.SameShape(k.Value) {
		panic(shapeError("ChunkScores", q.Value, k.Value))
	}
	p := planesOf(q.Value)
	c.mustCut("ChunkScores", p.rows)
	t := q.tape
	s := t.result([]*Var{q, k}, p.batch, p.heads, p.rows, c.Window())
	s.explain(func(i int) Origin {
		b, a, row, col := planes{p.batch, p.heads, p.rows, c.Window()}.of(i)
		return dot(Several(q, p.at(b, a, row), 1, p.cols), Several(k, p.at(b, a, c.seen(row, col, p.rows)), 1, p.cols), scale)
	})
	c.products(p, s.Value.Data, q.Value.Data, k.Value.Data, func(s, q, k tensor.Batch) {
		tensor.GemmBatch(s, q, transposed(k), scale, tensor.Overwrite)
	})
	t.record(s, func(ds []Elem) {
		if q.active {
			c.products(p, ds, q.sum(), k.Value.Data, func(ds, dq, k tensor.Batch) {
				tensor.GemmBatch(dq, ds, k, scale, tensor.Accumulate)
			})
		}
		if k.active {
			c.products(p, ds, q.Value.Data, k.sum(), func(ds, q, dk tensor.Batch) {
				tensor.GemmBatch(dk, transposed(ds), q, scale, tensor.Accumulate)
			})
		}
	})
	return s
}

// ChunkMix returns y_i = Σ_j A_ij v_j over the rows j of the window of row i, in the order of
// ChunkScores: A [H,M,W], v [H,M,w] → [H,M,w]. Cost: 2·M·W·w FLOPs per head.
func ChunkMix(weights, v *Var, c Chunks) *Var {
	p := planesOf(v.Value)
	c.mustCut("ChunkMix", p.rows)
	if planesOf(weights.Value) != (planes{p.batch, p.heads, p.rows, c.Window()}) {
		panic(shapeError("ChunkMix", weights.Value, v.Value))
	}
	t := v.tape
	y := t.result([]*Var{weights, v}, p.batch, p.heads, p.rows, p.cols)
	y.explain(func(i int) Origin {
		b, a, row, f := p.of(i)
		var seen []Number
		for col := range c.Window() {
			seen = append(seen, Number{v, p.at(b, a, c.seen(row, col, p.rows)) + f})
		}
		return dot(Several(weights, planes{p.batch, p.heads, p.rows, c.Window()}.at(b, a, row), 1, c.Window()), seen, 1)
	})
	clear(y.Value.Data)
	c.products(p, weights.Value.Data, y.Value.Data, v.Value.Data, func(a, y, v tensor.Batch) {
		tensor.GemmBatch(y, a, v, 1, tensor.Accumulate)
	})
	t.record(y, func(dy []Elem) {
		if weights.active {
			da, u := weights.grow()
			c.products(p, da.Data, dy, v.Value.Data, func(da, dy, v tensor.Batch) {
				tensor.GemmBatch(da, dy, transposed(v), 1, u)
			})
		}
		if v.active {
			c.products(p, weights.Value.Data, dy, v.sum(), func(a, dy, dv tensor.Batch) {
				tensor.GemmBatch(dv, transposed(a), dy, 1, tensor.Accumulate)
			})
		}
	})
	return y
}
