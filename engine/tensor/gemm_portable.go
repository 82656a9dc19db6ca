package tensor

// portableK is the number of columns of A that the portable product processes at once, so that the
// corresponding rows of B stay in the cache.
const portableK = 256

// gemmPortable computes the product in plain Go. It serves machines without assembly kernels, and
// is the reference in tests.
func gemmPortable(c, a, b Matrix, alpha Elem, u Update) {
	for i := range c.Rows {
		if u == Overwrite {
			clear(c.Data[i*c.Stride : i*c.Stride+c.Cols])
		}
	}
	var buffer [portableK]Elem
	for k := 0; k < a.Cols; k += portableK {
		part := buffer[:min(portableK, a.Cols-k)]
		for i := range c.Rows {
			for j := range part {
				part[j] = alpha * a.at(i, k+j)
			}
			row := c.Data[i*c.Stride : i*c.Stride+c.Cols]
			if b.Transposed {
				addDots(row, part, b, k)
			} else {
				addRows(row, part, b, k)
			}
		}
	}
}

func (v *Matrix) at(i, j int) Elem {
	if v.Transposed {
		return v.Data[j*v.Stride+i]
	}
	return v.Data[i*v.Stride+j]
}

// addRows adds the rows of B from k on, multiplied by the numbers in part, to row. It processes
// four rows per iteration.
func addRows(row, part []Elem, b Matrix, k int) {
	line := func(i int) []Elem { return b.Data[(k+i)*b.Stride:][:len(row)] }
	i := 0
	for ; i+4 <= len(part); i += 4 {
		x0, x1, x2, x3 := part[i], part[i+1], part[i+2], part[i+3]
		b0, b1, b2, b3 := line(i), line(i+1), line(i+2), line(i+3)
		for j := range row {
			row[j] += x0*b0[j] + x1*b1[j] + (x2*b2[j] + x3*b3[j])
		}
	}
	for ; i < len(part); i++ {
		axpyPortable(row, part[i], line(i))
	}
}

// addDots adds the products of part with the columns of a transposed B, from row k on, to row. It
// processes four columns per iteration.
func addDots(row, part []Elem, b Matrix, k int) {
	line := func(j int) []Elem { return b.Data[j*b.Stride+k:][:len(part)] }
	j := 0
	for ; j+4 <= len(row); j += 4 {
		b0, b1, b2, b3 := line(j), line(j+1), line(j+2), line(j+3)
		var s0, s1, s2, s3 Elem
		for i, x := range part {
			s0 += x * b0[i]
			s1 += x * b1[i]
			s2 += x * b2[i]
			s3 += x * b3[i]
		}
		row[j] += s0
		row[j+1] += s1
		row[j+2] += s2
		row[j+3] += s3
	}
	for ; j < len(row); j++ {
		row[j] += dotPortable(part, line(j))
	}
}

// addToRows adds one row to every row of c.
func addToRows(c Matrix, row []Elem) {
	for i := range c.Rows {
		to := c.Data[i*c.Stride:][:c.Cols]
		addPortable(to, to, row)
	}
}
