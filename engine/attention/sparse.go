package attention

import (
	"slices"

	"attnatlas/engine/ad"
	"attnatlas/engine/nn"
	"attnatlas/engine/trace"
)

// Code for mechanisms with a fixed pattern: each block of queries attends to a few spans of keys,
// and nothing else is computed.

// layout returns the layout of the patterns of all heads and sequences. patterns(b) returns the
// patterns of sequence b, one for each head, or a single one if all heads share it. Sequences have
// the same patterns unless they are padded differently.
func layout(p *nn.Pass, x *ad.Var, heads, keys int, patterns func(b int) []ad.Pattern) *ad.Sparse {
	made := map[int][]ad.Pattern{}
	s := ad.NewSparse(x.Dim(0), heads, x.Dim(1), keys, func(b, a int) ad.Pattern {
		if p.Mask.Keys == nil {
			b = 0
		}
		if made[b] == nil {
			made[b] = patterns(b)
		}
		return made[b][a%len(made[b])]
	})
	s.Forbidden, s.Penalty = nn.Masked, -1e4
	return s
}

// layoutOfWords is layout for keys that are words, and leaves out blocked words and cells.
func layoutOfWords(p *nn.Pass, x *ad.Var, heads int, patterns func(b int) []ad.Pattern) *ad.Sparse {
	return layout(p, x, heads, x.Dim(1), func(b int) []ad.Pattern {
		all := patterns(b)
		if p.Mask.Cut.Empty() {
			return all
		}
		left := make([]ad.Pattern, heads)
		for h := range left {
			left[h] = without(all[h%len(all)], func(q, k int) bool { return !p.Mask.Permits(h, q, k) })
		}
		return left
	})
}

// without returns the pattern without some pairs. If only pairs that the mask hides remain for a
// query, they are removed too.
func without(pattern ad.Pattern, cut func(q, k int) bool) ad.Pattern {
	left := slices.Clone(pattern)
	for i, b := range left {
		cells, at := slices.Clone(b.Cells), 0
		for q := b.Queries.From; q < b.Queries.To; q++ {
			begin, some, rest := at, false, false
			for _, s := range b.Keys {
				for k := s.From; k < s.To; k, at = k+1, at+1 {
					if b.Cells == nil {
						cells = append(cells, ad.Open)
					}
					if cut(q, k) {
						cells[at], some = ad.Outside, true
					}
					rest = rest || cells[at] == ad.Open || cells[at] == ad.Penalised
				}
			}
			for j := begin; j < at && some && !rest; j++ {
				cells[j] = ad.Outside
			}
		}
		left[i].Cells = cells
	}
	return left
}

// blocks returns the pattern of n queries in blocks of the given size. spans returns the keys of
// the queries from … to−1, in any order and possibly overlapping. cell returns the class of a cell;
// nil means that all are open.
func blocks(n, size int, spans func(from, to int) []ad.Span, cell func(q, k int) ad.Cell) ad.Pattern {
	pattern := make(ad.Pattern, 0, (n+size-1)/size)
	for from := 0; from < n; from += size {
		b := ad.Block{Queries: ad.Span{From: from, To: min(from+size, n)}}
		b.Keys = merge(spans(b.Queries.From, b.Queries.To))
		if cell == nil {
			pattern = append(pattern, b)
			continue
		}
		open := true
		for q := b.Queries.From; q < b.Queries.To; q++ {
			for _, s := range b.Keys {
				for k := s.From; k < s.To; k++ {
					c := cell(q, k)
					open = open && c == ad.Open
					b.Cells = append(b.Cells, c)
				}
			}
		}
		if open {
			b.Cells = nil
		}
		pattern = append(pattern, b)
	}
	return pattern
}

// readCells returns the number of cells of a pattern, without those outside.
func readCells(pattern ad.Pattern) int {
	cells := 0
	for _, b := range pattern {
		for _, s := range b.Keys {
			cells += (b.Queries.To - b.Queries.From) * (s.To - s.From)
		}
		for _, c := range b.Cells {
			if c == ad.Outside {
				cells--
			}
		}
	}
	return cells
}

// merge sorts spans in place and joins those that touch.
func merge(spans []ad.Span) []ad.Span {
	slices.SortFunc(spans, func(a, b ad.Span) int { return a.From - b.From })
	out := spans[:0]
	for _, s := range spans {
		if last := len(out) - 1; last >= 0 && s.From <= out[last].To {
			out[last].To = max(out[last].To, s.To)
		} else if s.From < s.To {
			out = append(out, s)
		}
	}
	return out
}

// around returns the keys, out of n, at a distance of at most reach from the queries from … to−1.
func around(from, to, reach, n int) ad.Span {
	return ad.Span{From: max(from-reach, 0), To: min(to+reach, n)}
}

// bandBlock returns the number of queries that are computed together for a band of keys ±reach. It
// is large enough for efficient matrix products, and small enough that most cells are in the band.
func bandBlock(reach int) int { return min(max(reach, 16), 128) }

// forbid returns the class of a cell under the mask alone.
func forbid(m nn.Mask, b, q, k int) ad.Cell {
	if m.Allows(b, q, k) {
		return ad.Open
	}
	return ad.Forbidden
}

// text reports whether position i of sequence b is text and not padding.
func text(m nn.Mask, b, i int) bool { return m.Keys == nil || m.Keys[b*m.N+i] }

// nameCells gives the cells of a layout the name of their map, so that they can be traced.
func nameCells(p *nn.Pass, at *ad.Sparse, name string, cells *ad.Var) {
	if p.Tape.Explains() {
		p.Name(name, at.Spread(cells))
	}
}

// comparison holds the queries and keys [N,d] that a layout of words compares, and the scores and
// weights of its cells.
type comparison struct {
	at         *ad.Sparse
	q, k, s, a *ad.Var
}

// showScores records the scores, and before them the products without the factor.
func (c comparison) showScores(p *nn.Pass, reach func(h, q, k int) bool) {
	if p.Wants("products") {
		showCells(p, c.at, trace.Map{Name: "products", Tex: `QK^\top`, Kind: trace.Activation, HeadReach: reach},
			c.at.Scores(c.q, c.k, 1), trace.Key)
	}
	showCells(p, c.at, trace.Map{Name: "scores", Tex: `S = QK^\top/\sqrt{d_h}`, Kind: trace.Activation, HeadReach: reach},
		c.s, trace.Key)
}

// showCells records the cells of a layout as a map of heads, words and columns of the given role.
func showCells(p *nn.Pass, at *ad.Sparse, m trace.Map, cells *ad.Var, columns trace.Role) {
	if p.Wants(m.Name) {
		m.Value = at.Dense(cells.Value)
		showPattern(p, m, trace.Head, trace.Query, columns)
		nameCells(p, at, m.Name, cells)
	}
}

// showPattern records a map that is 0 outside HeadReach, the mechanism's own pattern. For
// probabilities, the cells that the mask hides are outside the reach, too.
func showPattern(p *nn.Pass, m trace.Map, roles ...trace.Role) {
	for _, r := range roles {
		m.Axes = append(m.Axes, trace.Axis{Role: r})
	}
	within := m.HeadReach
	if mask := p.Mask; !mask.Open() && mask.Keys == nil && m.Kind == trace.Probability &&
		roles[len(roles)-1] == trace.Key {
		pattern := within
		within = func(h, q, k int) bool { return pattern(h, q, k) && mask.Allows(0, q, k) }
	}
	heads := 1
	if axis, ok := m.Has(trace.Head); ok {
		heads = m.Value.Dim(axis - len(roles))
	}
	m.HeadReach = within
	m.Reach = ofAny(heads, within)
	p.Show(m)
}

// coversAll reports whether the windows show every word to every other.
func (w *windows) coversAll() bool {
	reaches := ofAny(w.heads, w.reach(w.cells(nn.Mask{})))
	for i := range w.n * w.n {
		if !reaches(i/w.n, i%w.n) {
			return false
		}
	}
	return true
}
