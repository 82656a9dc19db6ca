package ad

import (
	"fmt"

	"attnatlas/engine/tensor"
)

// Absent, in a list of places, stands for a row that does not exist: it reads
// as zeros, and nothing flows back into it.
const Absent = -1

// HeadRows picks rows of every head: x [N,H·w], at → [H,M,w]. Row i of head a is row at[a][i] of x, the
// features of head a. There is one list of M places for each head of each sequence, or
// one list for all.
func HeadRows(x *Var, count int, at [][]int) *Var {
	h := headsOf(x, count)
	m := mustBePlaces("HeadRows", at, h.batch*count, h.n)
	t := x.tape
	y := t.result([]*Var{x}, h.batch, count, m, h.width)
	py := planesOf(y.Value)
	each(h.batch, count, func(b, a int) {
		pickRows(py.view(y.Value.Data, b, a), h.view(x.Value.Data, b, a), listOf(at, b*count+a))
	})
	t.record(y, func(dy []Elem) {
		dx := x.sum()
		each(h.batch, count, func(b, a int) {
			dropRows(h.view(dx, b, a), py.view(dy, b, a), listOf(at, b*count+a))
		})
	})
	return y
}

// SumHeadRows is the transpose of HeadRows: x [H,M,w], at → y [n,H·w]. Row i of head a is
// added to row at[a][i] of y; a row that several places name is their sum.
func SumHeadRows(x *Var, at [][]int, n int) *Var {
	px := planesOf(x.Value)
	if m := mustBePlaces("SumHeadRows", at, px.batch*px.heads, n); m != px.rows {
		panic(tensor.ShapeError{Op: "ad.SumHeadRows", Want: fmt.Sprintf("%d places", px.rows), Got: fmt.Sprint(m)})
	}
	t := x.tape
	y := t.result([]*Var{x}, px.batch, n, px.heads*px.cols)
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

// PlaneRows picks rows of every matrix: x [H,M,w], at → [H,K,w], with lists as for HeadRows.
func PlaneRows(x *Var, at [][]int) *Var {
	px := planesOf(x.Value)
	k := mustBePlaces("PlaneRows", at, px.batch*px.heads, px.rows)
	t := x.tape
	y := t.result([]*Var{x}, px.batch, px.heads, k, px.cols)
	py := planesOf(y.Value)
	each(px.batch, px.heads, func(b, a int) {
		pickRows(py.view(y.Value.Data, b, a), px.view(x.Value.Data, b, a), listOf(at, b*px.heads+a))
	})
	t.record(y, func(dy []Elem) {
		dx := x.sum()
		each(px.batch, px.heads, func(b, a int) {
			dropRows(px.view(dx, b, a), py.view(dy, b, a), listOf(at, b*px.heads+a))
		})
	})
	return y
}

// Places picks rows of every sequence: x [N,d], at → [M,d], with one list for each
// sequence or one for all.
func Places(x *Var, at [][]int) *Var {
	y := HeadRows(x, 1, at)
	return Reshape(y, y.Dim(0), y.Dim(2), y.Dim(3))
}

// listOf is the list of a plane.
func listOf(at [][]int, plane int) []int { return at[plane%len(at)] }

// mustBePlaces returns the length that all lists have.
func mustBePlaces(op string, at [][]int, planes, rows int) int {
	if len(at) != 1 && len(at) != planes {
		panic(tensor.ShapeError{Op: "ad." + op, Want: fmt.Sprintf("1 or %d lists", planes), Got: fmt.Sprint(len(at))})
	}
	for _, list := range at {
		if len(list) != len(at[0]) {
			panic(tensor.ShapeError{Op: "ad." + op, Want: fmt.Sprintf("lists of %d places", len(at[0])), Got: fmt.Sprint(len(list))})
		}
		for _, i := range list {
			if i < Absent || i >= rows {
				panic(tensor.ShapeError{Op: "ad." + op, Want: fmt.Sprintf("rows 0…%d, or Absent", rows-1), Got: fmt.Sprint(i)})
			}
		}
	}
	return len(at[0])
}

// row is row i of a view.
func row(v tensor.View, i int) []Elem { return v.Data[i*v.Stride:][:v.Cols] }

// pickRows writes dst_i = src_at(i).
func pickRows(dst, src tensor.View, at []int) {
	for i, from := range at {
		if from == Absent {
			clear(row(dst, i))
		} else {
			copy(row(dst, i), row(src, from))
		}
	}
}

// addPicked does dst_i += src_at(i).
func addPicked(dst, src tensor.View, at []int) {
	for i, from := range at {
		if from != Absent {
			tensor.Add(row(dst, i), row(dst, i), row(src, from))
		}
	}
}

// dropRows does dst_at(i) += src_i.
func dropRows(dst, src tensor.View, at []int) {
	for i, to := range at {
		if to != Absent {
			tensor.Add(row(dst, to), row(dst, to), row(src, i))
		}
	}
}
