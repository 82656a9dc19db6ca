package ad

import (
	"fmt"

	"attnatlas/engine/tensor"
)

// Chunks says who sees whom in a list of rows that is cut into chunks of Size:
// a row sees its own chunk, Before chunks in front of it and After behind it. The
// list is a circle: in front of the first chunk stands the last.
type Chunks struct{ Size, Before, After int }

// Window is how many rows a row sees. Where there are fewer chunks than that, it
// sees some of them more than once.
func (c Chunks) Window() int { return (c.Before + 1 + c.After) * c.Size }

// Source is the chunk that stands at place slot (0 … Before+After) of the window of a chunk.
func (c Chunks) Source(chunk, slot, chunks int) int {
	return ((chunk+slot-c.Before)%chunks + chunks) % chunks
}

// mustCut returns into how many chunks rows are cut.
func (c Chunks) mustCut(op string, rows int) int {
	if c.Size < 1 || c.Before < 0 || c.After < 0 || rows%c.Size != 0 {
		panic(tensor.ShapeError{Op: "ad." + op, Want: fmt.Sprintf("rows in chunks of %d", c.Size), Got: fmt.Sprint(rows)})
	}
	return rows / c.Size
}

// runs calls do for every place of the window with runs of chunks whose sources are
// consecutive too: chunks from … from+count-1 see the chunks source … source+count-1 there.
func (c Chunks) runs(chunks int, do func(slot, from, source, count int)) {
	for slot := range c.Before + 1 + c.After {
		source := c.Source(0, slot, chunks)
		do(slot, 0, source, chunks-source)
		if source > 0 {
			do(slot, chunks-source, 0, source)
		}
	}
}

// blocks are count chunks of one plane: matrices [Size,cols] below each other, or the
// place slot of their windows when wide.
func (c Chunks) blocks(plane tensor.View, from, count int) tensor.Batch {
	v := plane
	v.Data = v.Data[from*c.Size*v.Stride:]
	v.Rows = c.Size
	return tensor.Batch{First: v, Step: c.Size * v.Stride, Count: count}
}

func (c Chunks) window(plane tensor.View, slot, from, count int) tensor.Batch {
	plane.Data, plane.Cols = plane.Data[slot*c.Size:], c.Size
	return c.blocks(plane, from, count)
}

func transposed(b tensor.Batch) tensor.Batch {
	b.First = b.First.T()
	return b
}

// ChunkScores is scale · q_i·k_j for every row i and the rows j that it sees: q, k [H,M,w] →
// [H,M,W] with W = c.Window(): first the chunks in front, then its own, then those behind.
// Cost 2·M·W·w FLOPs a head.
func ChunkScores(q, k *Var, c Chunks, scale Elem) *Var {
	if !q.Value.SameShape(k.Value) {
		panic(shapeError("ChunkScores", q.Value, k.Value))
	}
	p := planesOf(q.Value)
	chunks := c.mustCut("ChunkScores", p.rows)
	t := q.tape
	s := t.result([]*Var{q, k}, p.batch, p.heads, p.rows, c.Window())
	ps := planesOf(s.Value)
	each(p.batch, p.heads, func(b, a int) {
		out, left, right := ps.view(s.Value.Data, b, a), p.view(q.Value.Data, b, a), p.view(k.Value.Data, b, a)
		c.runs(chunks, func(slot, from, source, count int) {
			tensor.GemmBatch(c.window(out, slot, from, count), c.blocks(left, from, count), transposed(c.blocks(right, source, count)), scale, tensor.Overwrite)
		})
	})
	t.record(s, func(ds []Elem) {
		if q.active {
			dq := q.sum()
			each(p.batch, p.heads, func(b, a int) {
				to, grad, right := p.view(dq, b, a), ps.view(ds, b, a), p.view(k.Value.Data, b, a)
				c.runs(chunks, func(slot, from, source, count int) {
					tensor.GemmBatch(c.blocks(to, from, count), c.window(grad, slot, from, count), c.blocks(right, source, count), scale, tensor.Accumulate)
				})
			})
		}
		if k.active {
			dk := k.sum()
			each(p.batch, p.heads, func(b, a int) {
				to, grad, left := p.view(dk, b, a), ps.view(ds, b, a), p.view(q.Value.Data, b, a)
				c.runs(chunks, func(slot, from, source, count int) {
					tensor.GemmBatch(c.blocks(to, source, count), transposed(c.window(grad, slot, from, count)), c.blocks(left, from, count), scale, tensor.Accumulate)
				})
			})
		}
	})
	return s
}

// ChunkMix is y_i = Σ_j A_ij v_j over the rows j that row i sees: A [H,M,W], v [H,M,w] →
// [H,M,w], in the order of ChunkScores. Cost 2·M·W·w FLOPs a head.
func ChunkMix(weights, v *Var, c Chunks) *Var {
	pa, p := planesOf(weights.Value), planesOf(v.Value)
	chunks := c.mustCut("ChunkMix", p.rows)
	if pa != (planes{p.batch, p.heads, p.rows, c.Window()}) {
		panic(shapeError("ChunkMix", weights.Value, v.Value))
	}
	t := v.tape
	y := t.result([]*Var{weights, v}, p.batch, p.heads, p.rows, p.cols)
	clear(y.Value.Data)
	each(p.batch, p.heads, func(b, a int) {
		out, left, right := p.view(y.Value.Data, b, a), pa.view(weights.Value.Data, b, a), p.view(v.Value.Data, b, a)
		c.runs(chunks, func(slot, from, source, count int) {
			tensor.GemmBatch(c.blocks(out, from, count), c.window(left, slot, from, count), c.blocks(right, source, count), 1, tensor.Accumulate)
		})
	})
	t.record(y, func(dy []Elem) {
		if weights.active {
			dw, u := weights.grow()
			each(p.batch, p.heads, func(b, a int) {
				to, grad, right := pa.view(dw.Data, b, a), p.view(dy, b, a), p.view(v.Value.Data, b, a)
				c.runs(chunks, func(slot, from, source, count int) {
					tensor.GemmBatch(c.window(to, slot, from, count), c.blocks(grad, from, count), transposed(c.blocks(right, source, count)), 1, u)
				})
			})
		}
		if v.active {
			dv := v.sum()
			each(p.batch, p.heads, func(b, a int) {
				to, grad, left := p.view(dv, b, a), p.view(dy, b, a), pa.view(weights.Value.Data, b, a)
				c.runs(chunks, func(slot, from, source, count int) {
					tensor.GemmBatch(c.blocks(to, source, count), transposed(c.window(left, slot, from, count)), c.blocks(grad, from, count), 1, tensor.Accumulate)
				})
			})
		}
	})
	return y
}
