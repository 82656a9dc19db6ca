package nn

import (
	"slices"

	"attnatlas/engine/ad"
	"attnatlas/engine/tensor"
)

// Cut is an ablation: it lists what a mixer leaves out, to show what depends on it. Words are
// blocked, so that no position attends to them. Cells are blocked for single pairs of positions.
// Heads are zeroed out.
//
// Words and cells are blocked before the weights are computed. With softmax, a blocked score is
// −10⁹, and the rest of the row sums to 1 again, as under an attention mask. Mechanisms that use
// sums instead of softmax leave a blocked word out of every sum. If nothing in a row is left, the
// row is 0. The position of a blocked word itself still attends to the others. A head is zeroed out
// after the weights are applied, before the output projection.
type Cut struct {
	Words []int  // blocked positions, from 0
	Heads []bool // for every head, whether it is zeroed out; nil: none is
	Cells []CutCell
}

// CutCell is a pair of positions: in the given head, Query does not attend to Key.
type CutCell struct{ Head, Query, Key int } // all from 0; Head −1 means all heads

// Empty reports whether nothing is left out.
func (c *Cut) Empty() bool {
	return c == nil || !c.unread() && !slices.Contains(c.Heads, true)
}

// unread reports whether any words or cells are blocked.
func (c *Cut) unread() bool { return c != nil && len(c.Words)+len(c.Cells) > 0 }

// Permits reports whether the Cut of the mask lets position q attend to position k in head h.
func (m Mask) Permits(h, q, k int) bool {
	if !m.Cut.unread() {
		return true
	}
	return !slices.Contains(m.Cut.Words, k) && !slices.ContainsFunc(m.Cut.Cells, func(c CutCell) bool {
		return c.Query == q && c.Key == k && (c.Head == h || c.Head < 0)
	})
}

// Reads reports whether position q attends to position k in head h of sequence b: the mask allows
// the pair, and it is not blocked.
func (m Mask) Reads(b, h, q, k int) bool { return m.Allows(b, q, k) && m.Permits(h, q, k) }

// Readable reports for every position of a batch of sequences [B·N] whether other positions can
// attend to it, because it is neither padding nor blocked. Nil means that all can be attended to.
func (m Mask) Readable(batch, n int) []bool {
	if m.Cut == nil || len(m.Cut.Words) == 0 {
		return m.Keys
	}
	all := slices.Clone(m.Keys)
	if all == nil {
		all = slices.Repeat([]bool{true}, batch*n)
	}
	for b := range batch {
		for _, k := range m.Cut.Words {
			if k < n { // some texts are read only up to a word
				all[b*n+k] = false
			}
		}
	}
	return all
}

// cut lowers the blocked scores [H,M,N] so far that their weights become 0.
func (m Mask) cut(scores *ad.Var, queries []int) *ad.Var {
	if !m.Cut.unread() {
		return scores
	}
	heads, n := scores.Dim(-3), scores.Dim(-1)
	penalty := tensor.New(heads, len(queries), n)
	for h := range heads {
		for i, q := range queries {
			row := penalty.Data[(h*len(queries)+i)*n:][:n]
			for _, k := range m.Cut.Words {
				if k < n {
					row[k] = Masked
				}
			}
			for _, c := range m.Cut.Cells {
				if c.Query == q && c.Key < n && (c.Head == h || c.Head < 0) {
					row[c.Key] = Masked
				}
			}
		}
	}
	return ad.AddScalars(scores, penalty)
}

// Rest returns the weights [H,M,N] of the given queries, with zeros in the rows in which every
// position is blocked. Softmax would give such a row to the blocked positions.
func (m Mask) Rest(weights *ad.Var, queries []int) *ad.Var {
	heads, n := weights.Dim(-3), weights.Dim(-1)
	if !m.Cut.unread() || m.Kind == NoMask && m.Pairs == nil && n > len(m.Cut.Words)+len(m.Cut.Cells) {
		return weights
	}
	unpadded := m
	unpadded.Keys = nil
	kept, emptied := tensor.New(weights.Shape()...), false
	for row := range kept.Len() / n {
		h, q, left := row/len(queries)%heads, queries[row%len(queries)], false
		for k := range n {
			left = left || unpadded.Reads(0, h, q, k)
		}
		for k := range n {
			if left {
				kept.Data[row*n+k] = 1
			}
		}
		emptied = emptied || !left
	}
	if !emptied {
		return weights
	}
	return ad.Mul(weights, weights.Tape().Const(kept))
}

// RestFrom is Rest for the queries from … from+M−1.
func (m Mask) RestFrom(weights *ad.Var, from int) *ad.Var {
	return m.Rest(weights, upFrom(from, weights.Dim(-2)))
}

// KeepHeads returns y [N,H·w] with zeros in the columns of heads that are zeroed out.
func (p *Pass) KeepHeads(y *ad.Var) *ad.Var {
	if p.Mask.Cut == nil || !slices.Contains(p.Mask.Cut.Heads, true) {
		return y
	}
	return ad.ScaleColumns(y, p.Tape.Const(p.Mask.Cut.columns(y.Dim(-1))))
}

// KeepColumns returns the matrix w [d,H·w] with zeros in the columns of heads that are zeroed out.
func (m Mask) KeepColumns(w *tensor.T) *tensor.T {
	if m.Cut == nil || !slices.Contains(m.Cut.Heads, true) {
		return w
	}
	kept, columns := w.Clone(), m.Cut.columns(w.Dim(1))
	tensor.MulRows(kept.Data, w.Data, columns.Data)
	return kept
}

// columns returns, for each of width columns, 0 if its head is zeroed out and 1 otherwise.
func (c *Cut) columns(width int) *tensor.T {
	t := tensor.New(width)
	for i := range t.Data {
		if !c.Heads[i*len(c.Heads)/width] {
			t.Data[i] = 1
		}
	}
	return t
}

// InLayer is In for the given layer, counted from 0. The mask of the result has the Cut of this
// layer.
func (p *Pass) InLayer(name string, layer int) *Pass {
	if p.Cuts == nil {
		return p.In(name)
	}
	part := *p.In(name)
	part.Mask.Cut = p.Cuts(layer + 1)
	return &part
}
