package ad

import (
	"attnatlas/engine/tensor"
)

// Band returns the columns i … i+width−1 of every row i of a matrix: x [H,M,M+width] → [H,M,width].
// If columns begin width positions before rows, these are the positions before each position,
// without itself, the most distant first.
func Band(x *Var, width int) *Var {
	rows, cols := x.Dim(-2), x.Dim(-1)
	if cols != rows+width {
		panic(shapeError("Band", x.Value))
	}
	return moveBand(x, last(x.Shape(), width), func(band, full int) (to, from int) { return band, full },
		band{rows, width})
}

// Unband is the transpose of Band: y [H,M,M+width], 0 outside the band.
func Unband(x *Var) *Var {
	rows, width := x.Dim(-2), x.Dim(-1)
	return moveBand(x, last(x.Shape(), rows+width), func(band, full int) (to, from int) { return full, band },
		band{rows, width})
}

// band is the layout of [rows,width] inside [rows,rows+width].
type band struct{ rows, width int }

// each calls do with the offset of every row of every plane in both layouts.
func (b band) each(planes int, do func(band, full int)) {
	for p := range planes {
		for i := range b.rows {
			do((p*b.rows+i)*b.width, (p*b.rows+i)*(b.rows+b.width)+i)
		}
	}
}

func moveBand(x *Var, shape []int, turn func(band, full int) (to, from int), b band) *Var {
	t := x.tape
	y := t.result([]*Var{x}, shape...)
	planes := tensor.Size(shape[:len(shape)-2]...)
	y.explain(func(i int) Origin {
		o := constant(0)
		b.each(planes, func(band, full int) {
			if to, from := turn(band, full); to <= i && i < to+b.width {
				o = copied(x, from+i-to)
			}
		})
		return o
	})
	clear(y.Value.Data)
	b.each(planes, func(band, full int) {
		to, from := turn(band, full)
		copy(y.Value.Data[to:][:b.width], x.Value.Data[from:])
	})
	t.record(y, func(dy []Elem) {
		dx := x.sum()
		b.each(planes, func(band, full int) {
			to, from := turn(band, full)
			tensor.Add(dx[from:][:b.width], dx[from:][:b.width], dy[to:][:b.width])
		})
	})
	return y
}
