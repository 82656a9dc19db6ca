package ad

import (
	"attnatlas/engine/tensor"
)

// If only a few outputs have gradients, such as those of one position, rows of the backward pass are zero
// until the positions are mixed. Products with such rows are zero, too, and are skipped here.

// allZero reports whether all elements of a row are 0.
func allZero(row []Elem) bool {
	for _, v := range row {
		if v != 0 {
			return false
		}
	}
	return true
}

// nonzeroSpan returns the smallest span that contains all nonzero rows of v.
func nonzeroSpan(v tensor.Matrix) Span {
	s := Span{0, v.Rows}
	for s.From < s.To && allZero(row(v, s.From)) {
		s.From++
	}
	for s.From < s.To && allZero(row(v, s.To-1)) {
		s.To--
	}
	return s
}

// rowsProduct computes dst = scale·x·y or dst += scale·x·y. It skips the rows of zeros at both ends
// of x.
func rowsProduct(dst, x, y tensor.Matrix, scale Elem, u tensor.Update) {
	s := nonzeroSpan(x)
	if u == tensor.Overwrite {
		clearRows(rowsOf(dst, Span{0, s.From}))
		clearRows(rowsOf(dst, Span{s.To, dst.Rows}))
	}
	if s.From < s.To {
		tensor.Gemm(rowsOf(dst, s), rowsOf(x, s), y, scale, u)
	}
}

// sumProduct computes dst = scale·xᵀ·y or dst += scale·xᵀ·y. x and y can have 0 rows.
func sumProduct(dst, x, y tensor.Matrix, scale Elem, u tensor.Update) {
	switch {
	case x.Rows > 0:
		tensor.Gemm(dst, x.T(), y, scale, u)
	case u == tensor.Overwrite:
		clearRows(dst)
	}
}

func clearRows(v tensor.Matrix) {
	for i := range v.Rows {
		clear(row(v, i))
	}
}

// addProduct adds dy·w to the adjoint of x. If at most half of the rows are nonzero, it computes
// only these.
func (x *Var) addProduct(dy, w tensor.Matrix) {
	t := x.tape
	busy := t.ints.take(dy.Rows)[:0]
	for i := range dy.Rows {
		if !allZero(row(dy, i)) {
			busy = append(busy, i)
		}
	}
	dx, u := x.grow()
	all := tensor.NewMatrix(dx.Data, dy.Rows, w.Cols)
	if 2*len(busy) > dy.Rows {
		tensor.Gemm(all, dy, w, 1, u)
		return
	}
	if u == tensor.Overwrite {
		clear(dx.Data)
	}
	if len(busy) == 0 {
		return
	}
	few := tensor.NewMatrix(t.numbers.take(len(busy)*w.Rows), len(busy), w.Rows)
	product := tensor.NewMatrix(t.numbers.take(len(busy)*w.Cols), len(busy), w.Cols)
	pickRows(few, dy, busy)
	tensor.Gemm(product, few, w, 1, tensor.Overwrite)
	dropRows(all, product, busy)
}

// busyProduct computes dst = scale·x·w. If at most half of the rows of x are nonzero, it computes
// only these and clears the others.
func (t *Tape) busyProduct(dst, x, w tensor.Matrix, scale Elem) {
	busy := t.ints.take(x.Rows)[:0]
	for i := range x.Rows {
		if !allZero(row(x, i)) {
			busy = append(busy, i)
		}
	}
	if 2*len(busy) > x.Rows {
		tensor.Gemm(dst, x, w, scale, tensor.Overwrite)
		return
	}
	clearRows(dst)
	if len(busy) == 0 {
		return
	}
	few := tensor.NewMatrix(t.scratch.take(len(busy)*x.Cols), len(busy), x.Cols)
	product := tensor.NewMatrix(t.scratch.take(len(busy)*w.Cols), len(busy), w.Cols)
	pickRows(few, x, busy)
	tensor.Gemm(product, few, w, scale, tensor.Overwrite)
	dropRows(dst, product, busy)
}
