//go:build js && wasm && !purego && !f64

package tensor

import (
	"sync"
	"unsafe"
)

// gemmRows and gemmDots are the kernels of engine/simd128, where they are documented. simdAvailable
// returns 1 if the browser has vector instructions. Strides are in bytes.
//
//go:wasmimport kernel rows
//go:noescape
func gemmRows(c unsafe.Pointer, cs int32, a unsafe.Pointer, as int32, b unsafe.Pointer, bs, m, k, n int32,
	panel unsafe.Pointer)

//go:wasmimport kernel dots
//go:noescape
func gemmDots(c unsafe.Pointer, cs int32, a unsafe.Pointer, as int32, b unsafe.Pointer, bs, m, k, n int32,
	panel unsafe.Pointer)

//go:wasmimport kernel available
func simdAvailable() int32

// lanes is the number of columns that a kernel processes at once, and elemBytes is the size of an
// element.
const (
	lanes     = 4
	elemBytes = 4
)

var vectors = simdAvailable() == 1

// workspace is the memory that a product needs in addition to its operands.
type workspace struct{ panel, left []Elem }

var workspaces = sync.Pool{New: func() any { return new(workspace) }}

func room(s []Elem, n int) []Elem {
	if cap(s) < n {
		return make([]Elem, n)
	}
	return s[:n]
}

// product computes C = α·A·B, or adds it to C. It is gemmPortable with vector instructions, and
// gives the same bits.
func product(c, a, b Matrix, alpha Elem, u Update) {
	columns := c.Cols &^ (lanes - 1)
	if !vectors || columns == 0 || c.Rows == 0 || a.Cols == 0 {
		gemmPortable(c, a, b, alpha, u)
		return
	}
	if u == Overwrite {
		for i := range c.Rows {
			clear(c.Data[i*c.Stride:][:columns])
		}
	}
	w := workspaces.Get().(*workspace)
	defer workspaces.Put(w)
	w.panel = room(w.panel, lanes*a.Cols)
	if alpha != 1 || a.Transposed {
		a = w.scaled(a, alpha)
	}
	if b.Transposed {
		for k := 0; k < a.Cols; k += portableK {
			w.call(gemmDots, c, a, b, k, min(portableK, a.Cols-k), columns)
		}
	} else {
		w.call(gemmRows, c, a, b, 0, a.Cols, columns)
	}
	if columns < c.Cols {
		gemmPortable(c.columns(columns), a, b.columns(columns), 1, u)
	}
}

// scaled returns α·A in row-major order.
func (w *workspace) scaled(a Matrix, alpha Elem) Matrix {
	w.left = room(w.left, a.Rows*a.Cols)
	for i := range a.Rows {
		row := w.left[i*a.Cols:][:a.Cols]
		for k := range row {
			row[k] = alpha * a.at(i, k)
		}
	}
	return NewMatrix(w.left, a.Rows, a.Cols)
}

// columns returns the columns from the given one on.
func (v Matrix) columns(from int) Matrix {
	v.Cols -= from
	if v.Transposed {
		from *= v.Stride
	}
	v.Data = v.Data[from:]
	return v
}

// kernel is the type of gemmRows and gemmDots.
type kernel func(c unsafe.Pointer, cs int32, a unsafe.Pointer, as int32, b unsafe.Pointer, bs, m, k, n int32,
	panel unsafe.Pointer)

// call runs a kernel for the first columns of C and for the columns of A from the given one on. B
// begins at row from, or at column from if it is transposed.
func (w *workspace) call(run kernel, c, a, b Matrix, from, k, columns int) {
	first := from * b.Stride
	if b.Transposed {
		first = from
	}
	run(unsafe.Pointer(&c.Data[0]), int32(c.Stride*elemBytes), unsafe.Pointer(&a.Data[from]), int32(a.Stride*elemBytes),
		unsafe.Pointer(&b.Data[first]), int32(b.Stride*elemBytes), int32(c.Rows), int32(k), int32(columns),
		unsafe.Pointer(&w.panel[0]))
}
