package ad

import (
	"fmt"

	"attnatlas/engine/tensor"
)

// Reshape is x under another shape of the same size.
func Reshape(x *Var, shape ...int) *Var {
	if tensor.Size(shape...) != x.Value.Len() {
		panic(tensor.ShapeError{Op: "ad.Reshape", Want: fmt.Sprintf("%d elements", x.Value.Len()), Got: fmt.Sprint(shape)})
	}
	t := x.tape
	t.mustRead(x)
	header := &t.arrays.take(1)[0]
	header.Shape = t.ints.take(len(shape))
	copy(header.Shape, shape)
	header.Data = x.Value.Data
	y := t.newVar(header, x.active)
	t.record(y, func(dy []Elem) { x.add(dy) })
	return y
}

// Transpose swaps the last two axes: [N,M] → [M,N].
func Transpose(x *Var) *Var {
	n, m := x.Dim(-2), x.Dim(-1)
	shape := append([]int(nil), x.Shape()...)
	shape[len(shape)-2], shape[len(shape)-1] = m, n
	t := x.tape
	y := t.result([]*Var{x}, shape...)
	for i, v := range x.Value.Data {
		y.Value.Data[swapped(i, n, m)] = v
	}
	t.record(y, func(dy []Elem) {
		dx := x.sum()
		for i := range dx {
			dx[i] += dy[swapped(i, n, m)]
		}
	})
	return y
}

// swapped is where element i of an array of matrices [n,m] stands after
// transposing each.
func swapped(i, n, m int) int {
	plane, at := i/(n*m), i%(n*m)
	return plane*n*m + at%m*n + at/m
}

// Crop keeps the first n entries of one axis: axis counts from the end, -1
// being the last.
func Crop(x *Var, axis, n int) *Var { return Slice(x, axis, 0, n) }

// Slice keeps the entries from ≤ i < to of one axis: axis counts from the end,
// -1 being the last.
func Slice(x *Var, axis, from, to int) *Var {
	rank := x.Value.Rank()
	if axis >= 0 || -axis > rank || from < 0 || from > to || to > x.Dim(axis) {
		panic(tensor.ShapeError{Op: "ad.Slice", Want: fmt.Sprintf("axis %d with entries %d…%d", axis, from, to), Got: fmt.Sprint(x.Shape())})
	}
	full, n := x.Dim(axis), to-from
	if n == full {
		return x
	}
	shape := append([]int(nil), x.Shape()...)
	shape[rank+axis] = n
	inner := tensor.Size(shape[rank+axis+1:]...)
	outer := tensor.Size(shape[:rank+axis]...)
	t := x.tape
	y := t.result([]*Var{x}, shape...)
	at := func(data []Elem, o int) []Elem { return data[(o*full+from)*inner:][:n*inner] }
	for o := range outer {
		copy(y.Value.Data[o*n*inner:], at(x.Value.Data, o))
	}
	t.record(y, func(dy []Elem) {
		dx := x.sum()
		for o := range outer {
			tensor.Add(at(dx, o), at(dx, o), dy[o*n*inner:][:n*inner])
		}
	})
	return y
}

// Window is the rows fromRow ≤ i < toRow and the first cols columns of every matrix:
// [H,L,L] → [H,toRow-fromRow,cols].
func Window(x *Var, fromRow, toRow, cols int) *Var {
	rows, full := x.Dim(-2), x.Dim(-1)
	if fromRow < 0 || fromRow > toRow || toRow > rows || cols > full {
		panic(tensor.ShapeError{Op: "ad.Window", Want: fmt.Sprintf("rows %d…%d and %d columns", fromRow, toRow, cols), Got: fmt.Sprint(x.Shape())})
	}
	n := toRow - fromRow
	if n == rows && cols == full {
		return x
	}
	shape := append([]int(nil), x.Shape()...)
	shape[len(shape)-2], shape[len(shape)-1] = n, cols
	t := x.tape
	y := t.result([]*Var{x}, shape...)
	each(x.Value.Len()/max(rows*full, 1), n, func(h, i int) {
		copy(y.Value.Data[(h*n+i)*cols:][:cols], x.Value.Data[(h*rows+fromRow+i)*full:])
	})
	t.record(y, func(dy []Elem) {
		dx := x.sum()
		each(len(dx)/max(rows*full, 1), n, func(h, i int) {
			to := dx[(h*rows+fromRow+i)*full:][:cols]
			tensor.Add(to, to, dy[(h*n+i)*cols:][:cols])
		})
	})
	return y
}

// Rows gathers rows of a table: table [V,d], ids → [len(ids),d]. It is both the
// look-up of an embedding and the choice of positions.
func Rows(table *Var, ids []int) *Var {
	d := table.Dim(-1)
	count := table.Value.Len() / max(d, 1)
	t := table.tape
	y := t.result([]*Var{table}, len(ids), d)
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

// AddRows adds one table [N,d] to every sequence of x [B,N,d]: positions.
func AddRows(x, table *Var) *Var {
	size := table.Value.Len()
	if size == 0 || x.Value.Len()%size != 0 || x.Dim(-1) != table.Dim(-1) {
		panic(shapeError("AddRows", x.Value, table.Value))
	}
	t := x.tape
	y := t.result([]*Var{x, table}, x.Shape()...)
	tensor.AddRow(y.Value.Data, x.Value.Data, table.Value.Data)
	t.record(y, func(dy []Elem) {
		if x.active {
			x.add(dy)
		}
		if table.active {
			tensor.SumRows(table.sum(), dy, size)
		}
	})
	return y
}
