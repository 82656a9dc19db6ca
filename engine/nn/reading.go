package nn

import "attnatlas/engine/ad"

// Reading is the same pass for a mixer whose result is read at some positions only; nil: at all.
func (p *Pass) Reading(at []int) *Pass {
	if at == nil {
		return p
	}
	other := *p
	other.Only = at
	return &other
}

// Read picks the rows of x [B,N,d] that are read: [M,d], or x itself where all are.
func (p *Pass) Read(x *ad.Var) *ad.Var {
	if p.Only == nil || x.Value.Rank() == 2 {
		return x
	}
	return ad.Rows(x, p.Only)
}

// Readers picks the positions of x [B,N,d] that are read, as many of each sequence, [B,R,d], some of them in
// vain, and says where among the B·R those are that count. It is x where all are read, or too
// many, or not all may read alike.
func (p *Pass) Readers(x *ad.Var) (readers *ad.Var, at []int) {
	batch, n := x.Dim(0), x.Dim(1)
	if p.Only == nil || !p.Mask.Open() {
		return x, p.Only
	}
	counts, most := make([]int, batch), 0
	for _, i := range p.Only {
		counts[i/n]++
		most = max(most, counts[i/n])
	}
	if 2*most > n {
		return x, p.Only
	}
	rows := make([]int, batch*most)
	for i := range rows {
		rows[i] = i / most * n // where fewer are read, the first stands in
	}
	clear(counts)
	for _, i := range p.Only {
		b := i / n
		at = append(at, b*most+counts[b])
		rows[b*most+counts[b]] = i
		counts[b]++
	}
	return ad.Reshape(ad.Rows(x, rows), batch, most, x.Dim(2)), at
}
