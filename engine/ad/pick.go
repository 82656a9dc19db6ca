package ad

// Pick selects elements of every row, with the same choice for all heads: x [H,N,R] and at [N·M] →
// [H,N,M],
//
//	y_ij = x_{i,at_ij}
func Pick(x *Var, at []int) *Var {
	n, r := x.Dim(-2), x.Dim(-1)
	m := len(at) / max(n, 1)
	if m*n != len(at) {
		panic(shapeError("Pick", x.Value))
	}
	t := x.tape
	y := t.result([]*Var{x}, last(x.Shape(), m)...)
	from := func(i int) int { return i/m*r + at[i%len(at)] }
	y.explain(func(i int) Origin { return copied(x, from(i)) })
	for i := range y.Value.Data {
		y.Value.Data[i] = x.Value.Data[from(i)]
	}
	t.record(y, func(dy []Elem) {
		dx := x.sum()
		for i, g := range dy {
			dx[from(i)] += g
		}
	})
	return y
}
