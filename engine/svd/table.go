package svd

import "attnatlas/engine/tensor"

// DecomposeTable decomposes the scores of the first n positions for every head. table holds the parameters that the
// Table of a catalogue entry names: R [H,L,L], or R1 and R2 [H,L,k]. Each decomposition has n or k terms, whichever is
// smaller.
func DecomposeTable(table []*tensor.T, n int) []Decomposition {
	all := make([]Decomposition, table[0].Dim(0))
	for head := range all {
		cols, b := n, unit(n)
		if len(table) == 2 {
			cols = table[0].Dim(2)
			b = corner(table[1].Sub(head), n, cols)
		}
		all[head] = Decompose(corner(table[0].Sub(head), n, cols), b)
	}
	return all
}

// OfRank returns parameters that replace a Table with the given number of parameters and keep only
// the first r terms of every head.
func OfRank(heads []Decomposition, r, parameters int) []*tensor.T {
	n := len(heads[0].left[0])
	left, right := tensor.New(len(heads), n, r), tensor.New(len(heads), n, r)
	for h, d := range heads {
		for c := range r {
			for i := range n {
				left.Set(tensor.Elem(d.left[c][i]), h, i, c)
				right.Set(tensor.Elem(d.right[c][i]), h, i, c)
			}
		}
	}
	if parameters == 2 {
		return []*tensor.T{left, right}
	}
	whole := tensor.New(len(heads), n, n)
	for h, d := range heads {
		for i := range n {
			row := make([]float64, n)
			for c := range r {
				for j, v := range d.right[c] {
					row[j] += d.left[c][i] * v
				}
			}
			for j, v := range row {
				whole.Set(tensor.Elem(v), h, i, j)
			}
		}
	}
	return []*tensor.T{whole}
}

// corner returns the first n rows and the first cols columns of a matrix.
func corner(x *tensor.T, n, cols int) *tensor.T {
	out := tensor.New(n, cols)
	for i := range n {
		copy(out.Data[i*cols:][:cols], x.Data[i*x.Dim(1):])
	}
	return out
}

func unit(n int) *tensor.T {
	out := tensor.New(n, n)
	for i := range n {
		out.Data[i*n+i] = 1
	}
	return out
}

// product returns a·bᵀ [N,N].
func product(a, b *tensor.T) *tensor.T {
	n, k := a.Dim(0), a.Dim(1)
	out := tensor.New(n, n)
	for i := range n {
		for j := range n {
			sum := 0.0
			for f := range k {
				sum += float64(a.Data[i*k+f]) * float64(b.Data[j*k+f])
			}
			out.Data[i*n+j] = tensor.Elem(sum)
		}
	}
	return out
}
