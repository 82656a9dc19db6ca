package nn

import (
	"slices"

	"attnatlas/engine/ad"
	"attnatlas/engine/tensor"
)

// Cut is what a mixer leaves out of a text, to see what depends on it: words that nobody reads,
// cells that are not read, heads whose results are 0.
//
// Words and cells are cut before the weights are made: where these are a softmax, the score of
// what is cut is −10⁹, and what is left of a row sums to 1 again, as under a mask; where sums
// take the place of a softmax, a cut word has no part in any. A row of which nothing is left
// is 0: it reads nothing. The position of a cut word itself goes on reading the others. The
// result of a head is cut behind the weights, before the output projection.
type Cut struct {
	Words []int  // positions, from 0
	Heads []bool // of every head whether it is cut; nil: none is
	Cells []CutCell
}

// CutCell is a pair of positions of which the first does not read the second.
type CutCell struct{ Head, Query, Key int } // from 0; of Head −1 in all heads

// Empty says that nothing is cut.
func (c *Cut) Empty() bool {
	return c == nil || !c.unread() && !slices.Contains(c.Heads, true)
}

// unread says that words or cells are cut.
func (c *Cut) unread() bool { return c != nil && len(c.Words)+len(c.Cells) > 0 }

// Permits says whether head h leaves position q to read position k.
func (m Mask) Permits(h, q, k int) bool {
	if !m.Cut.unread() {
		return true
	}
	return !slices.Contains(m.Cut.Words, k) && !slices.ContainsFunc(m.Cut.Cells, func(c CutCell) bool {
		return c.Query == q && c.Key == k && (c.Head == h || c.Head < 0)
	})
}

// Reads says whether head h of sequence b reads position k at position q: it is allowed to, and the pair is
// not cut.
func (m Mask) Reads(b, h, q, k int) bool { return m.Allows(b, q, k) && m.Permits(h, q, k) }

// Readable says of every position of a batch of sequences [B·N] whether anybody may read it:
// it is text, and not cut; nil: all are.
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
			if k < n { // some texts are read up to a word only
				all[b*n+k] = false
			}
		}
	}
	return all
}

// cut lowers the scores [H,M,N] of what is cut by so much that nothing is left of them.
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

// Rest are the weights [H,M,N] of some queries, with zeros in the rows of which a cut has left nothing
// to read: softmax has shared them out among what is cut.
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

// RestFrom is Rest for the queries from … from+M-1.
func (m Mask) RestFrom(weights *ad.Var, from int) *ad.Var {
	return m.Rest(weights, upFrom(from, weights.Dim(-2)))
}

// KeepHeads is y [N,H·w] with zeros in the columns of heads that are cut.
func (p *Pass) KeepHeads(y *ad.Var) *ad.Var {
	if p.Mask.Cut == nil || !slices.Contains(p.Mask.Cut.Heads, true) {
		return y
	}
	return ad.ScaleColumns(y, p.Tape.Const(p.Mask.Cut.columns(y.Dim(-1))))
}

// KeepColumns is a matrix [d,H·w] with zeros in the columns of heads that are cut.
func (m Mask) KeepColumns(w *tensor.T) *tensor.T {
	if m.Cut == nil || !slices.Contains(m.Cut.Heads, true) {
		return w
	}
	kept, columns := w.Clone(), m.Cut.columns(w.Dim(1))
	tensor.MulRows(kept.Data, w.Data, columns.Data)
	return kept
}

// columns are 0 where a column of so many is one of a head that is cut, else 1.
func (c *Cut) columns(width int) *tensor.T {
	t := tensor.New(width)
	for i := range t.Data {
		if !c.Heads[i*len(c.Heads)/width] {
			t.Data[i] = 1
		}
	}
	return t
}

// InLayer is In for a layer, from 0, in which nothing is read that is cut there.
func (p *Pass) InLayer(name string, layer int) *Pass {
	if p.Cuts == nil {
		return p.In(name)
	}
	part := *p.In(name)
	part.Mask.Cut = p.Cuts(layer + 1)
	return &part
}
