package ad

import (
	"fmt"

	"attnatlas/engine/tensor"
)

func shapeError(op string, arrays ...*tensor.T) tensor.ShapeError {
	got := ""
	for _, a := range arrays {
		got += fmt.Sprint(a.Shape)
	}
	return tensor.ShapeError{Op: "ad." + op, Want: "matching shapes", Got: got}
}

// last returns shape with another length of its last axis.
func last(shape []int, n int) []int {
	s := append([]int(nil), shape...)
	s[len(s)-1] = n
	return s
}

// heads is the layout of an array whose rows are split among heads. Head h of sequence b is a
// matrix [n,width] with a stride.
type heads struct {
	batch, count, n, width int
}

func headsOf(v *Var, count int) heads {
	d := v.Dim(-1)
	if v.Value.Rank() != 3 || count <= 0 || d%count != 0 {
		panic(tensor.ShapeError{Op: "ad: heads", Want: fmt.Sprintf("[B,N,d] with d divisible by %d heads", count),
			Got: fmt.Sprint(v.Shape())})
	}
	return heads{v.Dim(0), count, v.Dim(1), d / count}
}

func (h heads) view(data []Elem, b, head int) tensor.Matrix {
	stride := h.count * h.width
	from := b*h.n*stride + head*h.width
	return tensor.Matrix{Data: data[from:], Rows: h.n, Cols: h.width, Stride: stride}
}

// planes is the layout of an array with one matrix [rows,cols] per head and sequence, or per head
// only. Planes with batch 1 serve every sequence.
type planes struct {
	batch, heads, rows, cols int
}

func planesOf(a *tensor.T) planes {
	switch a.Rank() {
	case 3:
		return planes{1, a.Dim(0), a.Dim(1), a.Dim(2)}
	case 4:
		return planes{a.Dim(0), a.Dim(1), a.Dim(2), a.Dim(3)}
	}
	panic(tensor.ShapeError{Op: "ad: planes", Want: "[B,H,N,M] or [H,N,M]", Got: fmt.Sprint(a.Shape)})
}

func (p planes) view(data []Elem, b, head int) tensor.Matrix {
	if p.batch == 1 {
		b = 0
	}
	size := p.rows * p.cols
	return tensor.NewMatrix(data[(b*p.heads+head)*size:][:size], p.rows, p.cols)
}

// layout is heads or planes.
type layout interface {
	view(data []Elem, b, head int) tensor.Matrix
	at(b, head, row int) int // offset of a row
}

func each(batch, count int, do func(b, a int)) {
	for b := range batch {
		for a := range count {
			do(b, a)
		}
	}
}

// row returns row i of a view.
func row(v tensor.Matrix, i int) []Elem { return v.Data[i*v.Stride:][:v.Cols] }

func rowsOf(v tensor.Matrix, s Span) tensor.Matrix {
	v.Data, v.Rows = v.Data[min(s.From*v.Stride, len(v.Data)):], s.To-s.From
	return v
}
