package ad

import (
	"fmt"

	"attnatlas/engine/tensor"
)

// Absent, in a list of places, marks a row that does not exist. Its values are zeros, and it
// receives no gradient.
const Absent = -1

// Rows gathers rows of a table: table [V,d], ids → [len(ids),d]. It serves both to look up
// embeddings and to select positions.
func Rows(table *Var, ids []int) *Var {
	d := table.Dim(-1)
	count := table.Value.Len() / max(d, 1)
	t := table.tape
	y := t.result([]*Var{table}, len(ids), d)
	y.explain(func(i int) Origin { return copied(table, ids[i/d]*d+i%d) })
	for i, id := range ids {
		if id < 0 || id >= count {
			panic(tensor.ShapeError{Op: "ad.Rows", Want: fmt.Sprintf("rows 0…%d", count-1), Got: fmt.Sprint(id)})
		}
		copy(y.Value.Data[i*d:][:d], table.Value.Data[id*d:])
	}
	t.record(y, func(dy []Elem) {
		dt := table.sum()
		for i, id := range ids {
			to := dt[id*d:][:d]
			tensor.Add(to, to, dy[i*d:][:d])
		}
	})
	return y
}

// AddRowsAt returns x with rows[i] added to row at[i], where rows are counted through all
// sequences: x [B,N,d], rows [len(at),d]. It is the adjoint of Rows.
func AddRowsAt(x, rows *Var, at []int) *Var {
	d := x.Dim(-1)
	if rows.Value.Len() != len(at)*d {
		panic(shapeError("AddRowsAt", x.Value, rows.Value))
	}
	t := x.tape
	y := t.result([]*Var{x, rows}, x.Shape()...)
	y.explain(func(i int) Origin {
		o := sums(Number{x, i})
		for k, r := range at {
			if r == i/d {
				o.X = append(o.X, Number{rows, k*d + i%d})
			}
		}
		return o
	})
	copy(y.Value.Data, x.Value.Data)
	for i, r := range at {
		to := y.Value.Data[r*d:][:d]
		tensor.Add(to, to, rows.Value.Data[i*d:][:d])
	}
	t.record(y, func(dy []Elem) {
		if x.active {
			x.add(dy)
		}
		if rows.active {
			dr := rows.sum()
			for i, r := range at {
				tensor.Add(dr[i*d:][:d], dr[i*d:][:d], dy[r*d:][:d])
			}
		}
	})
	return y
}

// KeepRows returns x [B,N,d] with zeros in the rows for which keep [B·N] is false; nil keeps all.
func KeepRows(x *Var, keep []bool) *Var {
	if keep == nil {
		return x
	}
	d := x.Dim(-1)
	if len(keep)*d != x.Value.Len() {
		panic(shapeError("KeepRows", x.Value))
	}
	t := x.tape
	y := t.result([]*Var{x}, x.Shape()...)
	y.explain(func(i int) Origin {
		if !keep[i/d] {
			return constant(0)
		}
		return copied(x, i)
	})
	for i, k := range keep {
		if row := y.Value.Data[i*d:][:d]; k {
			copy(row, x.Value.Data[i*d:])
		} else {
			clear(row)
		}
	}
	t.record(y, func(dy []Elem) {
		dx := x.sum()
		for i, k := range keep {
			if k {
				tensor.Add(dx[i*d:][:d], dx[i*d:][:d], dy[i*d:][:d])
			}
		}
	})
	return y
}

// GatherHeads gathers rows for every head: x [N,H·w], at → [H,M,w]. Row i of head a has the
// features of head a from row at[a][i] of x. There is one list of M places for each head of each
// sequence, or one list for all.
func GatherHeads(x *Var, count int, at [][]int) *Var {
	h := headsOf(x, count)
	m := mustBePlaces("GatherHeads", at, h.batch*count, h.n)
	return pick(x, planes{h.batch, count, m, h.width}, h, at)
}

// GatherPlanes gathers rows of every matrix: x [H,M,w], at → [H,K,w], with lists as in GatherHeads.
func GatherPlanes(x *Var, at [][]int) *Var {
	p := planesOf(x.Value)
	k := mustBePlaces("GatherPlanes", at, p.batch*p.heads, p.rows)
	return pick(x, planes{p.batch, p.heads, k, p.cols}, p, at)
}

// pick gathers rows of the matrices of x, in either layout, into planes, for GatherHeads and
// GatherPlanes.
func pick(x *Var, py planes, of layout, at [][]int) *Var {
	t, view := x.tape, of.view
	y := t.result([]*Var{x}, py.batch, py.heads, py.rows, py.cols)
	y.explain(func(i int) Origin {
		b, a, row, col := py.of(i)
		from := listOf(at, b*py.heads+a)[row]
		if from == Absent {
			return constant(0)
		}
		return copied(x, of.at(b, a, from)+col)
	})
	each(py.batch, py.heads, func(b, a int) {
		pickRows(py.view(y.Value.Data, b, a), view(x.Value.Data, b, a), listOf(at, b*py.heads+a))
	})
	t.record(y, func(dy []Elem) {
		dx := x.sum()
		each(py.batch, py.heads, func(b, a int) {
			dropRows(view(dx, b, a), py.view(dy, b, a), listOf(at, b*py.heads+a))
		})
	})
	return y
}

// ScatterHeads is the transpose of GatherHeads: x [H,M,w], at → y [n,H·w]. Row i of head a is added
// to row at[a][i] of y, so a row that occurs several times is a sum.
func ScatterHeads(x *Var, at [][]int, n int) *Var {
	px := planesOf(x.Value)
	if m := mustBePlaces("ScatterHeads", at, px.batch*px.heads, n); m != px.rows {
		panic(tensor.ShapeError{Op: "ad.ScatterHeads", Want: fmt.Sprintf("%d places", px.rows), Got: fmt.Sprint(m)})
	}
	t := x.tape
	y := t.result([]*Var{x}, px.batch, n, px.heads*px.cols)
	y.explain(func(i int) Origin {
		o := sums()
		b, a, row, col := heads{px.batch, px.heads, n, px.cols}.of(i)
		for k, to := range listOf(at, b*px.heads+a) {
			if to == row {
				o.X = append(o.X, Number{x, px.at(b, a, k) + col})
			}
		}
		return o
	})
	clear(y.Value.Data)
	h := heads{px.batch, px.heads, n, px.cols}
	each(h.batch, h.count, func(b, a int) {
		dropRows(h.view(y.Value.Data, b, a), px.view(x.Value.Data, b, a), listOf(at, b*h.count+a))
	})
	t.record(y, func(dy []Elem) {
		dx := x.sum()
		each(h.batch, h.count, func(b, a int) {
			addPicked(px.view(dx, b, a), h.view(dy, b, a), listOf(at, b*h.count+a))
		})
	})
	return y
}

// GatherRows gathers rows of every sequence: x [N,d], at → [M,d], with one list for each sequence,
// or one for all.
func GatherRows(x *Var, at [][]int) *Var {
	y := GatherHeads(x, 1, at)
	return Reshape(y, y.Dim(0), y.Dim(2), y.Dim(3))
}

// listOf returns the list of places of a plane.
func listOf(at [][]int, plane int) []int { return at[plane%len(at)] }

// mustBePlaces returns the length of the lists. It panics if their lengths differ, or if they
// contain rows that do not exist.
func mustBePlaces(op string, at [][]int, planes, rows int) int {
	if len(at) != 1 && len(at) != planes {
		panic(tensor.ShapeError{Op: "ad." + op, Want: fmt.Sprintf("1 or %d lists", planes), Got: fmt.Sprint(len(at))})
	}
	for _, list := range at {
		if len(list) != len(at[0]) {
			panic(tensor.ShapeError{Op: "ad." + op, Want: fmt.Sprintf("lists of %d places", len(at[0])),
				Got: fmt.Sprint(len(list))})
		}
		for _, i := range list {
			if i < Absent || i >= rows {
				panic(tensor.ShapeError{Op: "ad." + op, Want: fmt.Sprintf("rows 0…%d, or Absent", rows-1), Got: fmt.Sprint(i)})
			}
		}
	}
	return len(at[0])
}

// pickRows sets dst_i = src_at(i).
func pickRows(dst, src tensor.Matrix, at []int) {
	for i, from := range at {
		if from == Absent {
			clear(row(dst, i))
		} else {
			copy(row(dst, i), row(src, from))
		}
	}
}

// addPicked adds dst_i += src_at(i).
func addPicked(dst, src tensor.Matrix, at []int) {
	for i, from := range at {
		if from != Absent {
			tensor.Add(row(dst, i), row(dst, i), row(src, from))
		}
	}
}

// dropRows adds dst_at(i) += src_i.
func dropRows(dst, src tensor.Matrix, at []int) {
	for i, to := range at {
		if to != Absent {
			tensor.Add(row(dst, to), row(dst, to), row(src, i))
		}
	}
}

// SwapPairs exchanges the given number of first features between positions 2t and 2t+1, and keeps
// the others: x [N,d] → [N,d] for even N.
func SwapPairs(x *Var, features int) *Var {
	n, d := x.Dim(-2), x.Dim(-1)
	if n%2 != 0 || features < 0 || features > d {
		panic(tensor.ShapeError{Op: "ad.SwapPairs", Want: fmt.Sprintf("[N,d], N even, d ≥ %d", features),
			Got: fmt.Sprint(x.Shape())})
	}
	t, rows := x.tape, x.Value.Len()/max(d, 1)
	y := t.result([]*Var{x}, x.Shape()...)
	y.explain(func(i int) Origin {
		if i%d < features {
			return copied(x, (i/d^1)*d+i%d)
		}
		return copied(x, i)
	})
	for i := range rows {
		to := y.Value.Data[i*d:][:d]
		copy(to, x.Value.Data[(i^1)*d:][:features])
		copy(to[features:], x.Value.Data[i*d+features:])
	}
	t.record(y, func(dy []Elem) {
		dx := x.sum()
		for i := range rows { // the exchange is its own inverse
			to := dx[i*d:][:d]
			tensor.Add(to[:features], to[:features], dy[(i^1)*d:][:features])
			tensor.Add(to[features:], to[features:], dy[i*d:][features:d])
		}
	})
	return y
}
