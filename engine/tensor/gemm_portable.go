package tensor

// gemmPortable is the product in plain Go, for machines without a kernel of
// their own and as the reference of the tests: rows of C are built as sums of rows of B, so
// that the inner loop runs along contiguous memory whenever B is not
// transposed; otherwise it is a loop of dot products.
func gemmPortable(c, a, b View, alpha Elem, u Update) {
	for i := range c.Rows {
		row := c.Data[i*c.Stride : i*c.Stride+c.Cols]
		if u == Overwrite {
			clear(row)
		}
		if b.Transposed {
			dotRow(row, a, b, i, alpha)
		} else {
			axpyRow(row, a, b, i, alpha)
		}
	}
}

func (v View) at(i, j int) Elem {
	if v.Transposed {
		return v.Data[j*v.Stride+i]
	}
	return v.Data[i*v.Stride+j]
}

func axpyRow(row []Elem, a, b View, i int, alpha Elem) {
	for k := range a.Cols {
		x := alpha * a.at(i, k)
		from := b.Data[k*b.Stride : k*b.Stride+len(row)]
		for j, y := range from {
			row[j] += x * y
		}
	}
}

func dotRow(row []Elem, a, b View, i int, alpha Elem) {
	for j := range row {
		var sum Elem
		from := b.Data[j*b.Stride : j*b.Stride+a.Cols]
		for k, y := range from {
			sum += a.at(i, k) * y
		}
		row[j] += alpha * sum
	}
}
