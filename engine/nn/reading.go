package nn

import "attnatlas/engine/ad"

// Reading returns the pass for a mixer whose result is needed only at some positions; nil means
// all.
func (p *Pass) Reading(at []int) *Pass {
	if at == nil {
		return p
	}
	other := *p
	other.Only = at
	return &other
}

// Read returns the rows [M,d] of x [B,N,d] whose results are needed, or x itself if all are.
func (p *Pass) Read(x *ad.Var) *ad.Var {
	if p.Only == nil || x.Value.Rank() == 2 {
		return x
	}
	return ad.Rows(x, p.Only)
}

// Readers returns the positions of x [B,N,d] whose results are needed, equally many from each
// sequence [B,R,d]. Sequences with fewer are padded with unneeded rows; at lists the needed ones
// among the B·R. It returns x if all results are needed, if too many are, or if the pass has a
// mask.
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
		rows[i] = i / most * n // sequences with fewer needed positions repeat their first one
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
