package ad

import (
	"fmt"

	"attnatlas/engine/tensor"
)

// Reshape returns x with another shape of the same size.
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
	y := t.newVar(header)
	y.active = x.active
	y.explain(func(i int) Origin { return copied(x, i) })
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
	y.explain(func(i int) Origin { return copied(x, swapped(i, m, n)) })
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

// swapped returns the index of element i after transposing each of its matrices [n,m].
func swapped(i, n, m int) int {
	plane, at := i/(n*m), i%(n*m)
	return plane*n*m + at%m*n + at/m
}

// Narrow keeps the first n entries of one axis. axis counts from the end; −1 is the last.
func Narrow(x *Var, axis, n int) *Var { return Slice(x, axis, 0, n) }

// Slice keeps the entries from ≤ i < to of one axis. axis counts from the end; −1 is the last.
func Slice(x *Var, axis, from, to int) *Var {
	rank := x.Value.Rank()
	if axis >= 0 || -axis > rank || from < 0 || from > to || to > x.Dim(axis) {
		panic(tensor.ShapeError{Op: "ad.Slice", Want: fmt.Sprintf("axis %d with entries %d…%d", axis, from, to),
			Got: fmt.Sprint(x.Shape())})
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
	y.explain(func(i int) Origin { return copied(x, (i/(n*inner)*full+from)*inner+i%(n*inner)) })
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

// SubMatrix returns the rows fromRow ≤ i < toRow and the first cols columns of every matrix:
// [H,L,L] → [H,toRow-fromRow,cols].
func SubMatrix(x *Var, fromRow, toRow, cols int) *Var {
	rows, full := x.Dim(-2), x.Dim(-1)
	if fromRow < 0 || fromRow > toRow || toRow > rows || cols > full {
		panic(tensor.ShapeError{Op: "ad.SubMatrix", Want: fmt.Sprintf("rows %d…%d and %d columns", fromRow, toRow, cols),
			Got: fmt.Sprint(x.Shape())})
	}
	n := toRow - fromRow
	if n == rows && cols == full {
		return x
	}
	shape := append([]int(nil), x.Shape()...)
	shape[len(shape)-2], shape[len(shape)-1] = n, cols
	t := x.tape
	y := t.result([]*Var{x}, shape...)
	y.explain(func(i int) Origin { return copied(x, (i/(n*cols)*rows+fromRow+i/cols%n)*full+i%cols) })
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

// Concat appends y to x along the last axis: [N,d], [N,e] → [N,d+e].
func Concat(x, y *Var) *Var {
	d, e := x.Dim(-1), y.Dim(-1)
	rows := x.Value.Len() / max(d, 1)
	if y.Value.Len() != rows*e {
		panic(shapeError("Concat", x.Value, y.Value))
	}
	t := x.tape
	z := t.result([]*Var{x, y}, last(x.Shape(), d+e)...)
	z.explain(func(i int) Origin {
		r, c := i/(d+e), i%(d+e)
		if c < d {
			return copied(x, r*d+c)
		}
		return copied(y, r*e+c-d)
	})
	wide := tensor.NewMatrix(z.Value.Data, rows, d+e)
	for i := range rows {
		copy(row(wide, i), x.Value.Data[i*d:][:d])
		copy(row(wide, i)[d:], y.Value.Data[i*e:][:e])
	}
	t.record(z, func(dz []Elem) {
		grad := tensor.NewMatrix(dz, rows, d+e)
		if x.active {
			dx := x.sum()
			for i := range rows {
				tensor.Add(dx[i*d:][:d], dx[i*d:][:d], row(grad, i)[:d])
			}
		}
		if y.active {
			dy := y.sum()
			for i := range rows {
				tensor.Add(dy[i*e:][:e], dy[i*e:][:e], row(grad, i)[d:])
			}
		}
	})
	return z
}

// Tile returns count copies of x along a new first axis: [N,d] → [count,N,d].
func Tile(x *Var, count int) *Var {
	t, size := x.tape, x.Value.Len()
	y := t.result([]*Var{x}, append([]int{count}, x.Shape()...)...)
	y.explain(func(i int) Origin { return copied(x, i%size) })
	for c := range count {
		copy(y.Value.Data[c*size:], x.Value.Data)
	}
	t.record(y, func(dy []Elem) {
		dx := x.sum()
		for c := range count {
			tensor.Add(dx, dx, dy[c*size:][:size])
		}
	})
	return y
}

// Repeat repeats the features of every position: x [N,m] → [N,count·m]. It lets all heads share the
// keys or values of one head.
func Repeat(x *Var, count int) *Var {
	if count == 1 {
		return x
	}
	t, m := x.tape, x.Dim(-1)
	y := t.result([]*Var{x}, last(x.Shape(), count*m)...)
	y.explain(func(i int) Origin { return copied(x, i/m/count*m+i%m) })
	for i := range y.Value.Len() / m {
		copy(y.Value.Data[i*m:][:m], x.Value.Data[i/count*m:])
	}
	t.record(y, func(dy []Elem) {
		dx := x.sum()
		for i := range y.Value.Len() / m {
			to := dx[i/count*m:][:m]
			tensor.Add(to, to, dy[i*m:][:m])
		}
	})
	return y
}

// RepeatHeads repeats each of count heads several times, one after the other: [N,count·w] →
// [N,count·times·w].
func RepeatHeads(x *Var, count, times int) *Var {
	h := headsOf(x, count)
	t := x.tape
	y := t.result([]*Var{x}, last(x.Shape(), x.Dim(-1)*times)...)
	from := func(i int) int {
		row, f := i/(x.Dim(-1)*times), i%(x.Dim(-1)*times)
		return row*x.Dim(-1) + f/(h.width*times)*h.width + f%h.width
	}
	y.explain(func(i int) Origin { return copied(x, from(i)) })
	for i := 0; i < len(y.Value.Data); i += h.width {
		copy(y.Value.Data[i:i+h.width], x.Value.Data[from(i):])
	}
	t.record(y, func(dy []Elem) {
		dx := x.sum()
		for i := 0; i < len(dy); i += h.width {
			tensor.Add(dx[from(i):][:h.width], dx[from(i):][:h.width], dy[i:i+h.width])
		}
	})
	return y
}
