// Package pyramid holds the map of one head for a long text: its overviews, parts of it, and its strongest links.
package pyramid

import (
	"cmp"
	"context"
	"slices"

	"attnatlas/engine/ad"
	"attnatlas/engine/fault"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
	"attnatlas/engine/tokenizer"
	"attnatlas/engine/trace"
)

// Source computes parts of the attention maps of a layer. attention.Compared implements it from queries and keys, and
// Record from a map.
type Source interface {
	Heads() int
	Bytes() int64
	Tile(p *nn.Pass, head int, rows, cols ad.Span, sums []float64) *tensor.T
	Scan(p *nn.Pass, head int, see func(from int, weights *tensor.T) error) (sums []float64, err error)
	Row(p *nn.Pass, query int) *tensor.T
}

// Lend calls a function with a pass as soon as one is free. It returns the error of the function or of the context.
type Lend func(ctx context.Context, do func(*nn.Pass) error) error

// Map is the map of a head of a layer, both counted from 1.
type Map struct {
	Source      Source
	Layer, Head int
	Tokens      []tokenizer.Token
	Kind        trace.Kind // kind of its numbers
	Most        int        // the most cells along each side of an overview that is kept, such as MostKept
	Tiles       Lend       // for the tiles that are not kept
}

// TileSide is the number of cells of a tile along each side.
const TileSide = 256

// MostKept is the most cells along each side of a stored level. Lower levels are computed tile by tile.
const MostKept = 1024

// FarDistance is the least distance in tokens of a far link.
const FarDistance = 32

// Link is a weight of a map.
type Link struct {
	Query, Key  int // tokens, from 0
	Layer, Head int // from 1
	Weight      float64
}

// Head holds the overviews of a map. A cell of level l shows the largest of 2^l × 2^l weights.
type Head struct {
	of    Map
	sums  []float64
	first int         // the least level in kept
	kept  []*tensor.T // levels from first on
	far   []Link      // the strongest far link to each key; its weight is 0 if there is none
}

// Bytes estimates the memory of a Head of n tokens.
func Bytes(n int) int64 {
	side := int64(min(n, MostKept))
	return side*side*6 + int64(n)*64
}

// New computes the overviews of a map in a pass from lend. The context can end it.
func New(ctx context.Context, m Map, lend Lend) (*Head, error) {
	n := len(m.Tokens)
	h := &Head{of: m, far: make([]Link, n)}
	for j := range h.far {
		h.far[j] = Link{Key: j, Layer: m.Layer, Head: m.Head}
	}
	for cells(n, h.first) > m.Most {
		h.first++
	}
	base := tensor.New(cells(n, h.first), cells(n, h.first))
	err := lend(ctx, func(p *nn.Pass) (err error) {
		h.sums, err = m.Source.Scan(p, m.Head-1, func(from int, weights *tensor.T) error {
			h.collect(base, from, weights)
			return ctx.Err()
		})
		return err
	})
	if err != nil {
		return nil, err
	}
	for h.kept = []*tensor.T{base}; base.Dim(0) > 1; h.kept = append(h.kept, base) {
		base = pool(base, 1)
	}
	return h, nil
}

// collect adds some rows of the map to the first kept level, and to the strongest far links.
func (h *Head) collect(base *tensor.T, from int, weights *tensor.T) {
	n := weights.Dim(1)
	for i := range weights.Dim(0) {
		query := from + i
		to := base.Data[query>>h.first*base.Dim(1):][:base.Dim(1)]
		for j, w := range weights.Data[i*n:][:n] {
			to[j>>h.first] = max(to[j>>h.first], w)
			if float64(w) > h.far[j].Weight && max(query-j, j-query) >= FarDistance {
				h.far[j].Query, h.far[j].Weight = query, float64(w)
			}
		}
	}
}

// Far returns the strongest link to a token, counted from 0, among the links of at least FarDistance tokens. Its weight
// is 0 if there are none.
func (h *Head) Far(key int) Link { return h.far[key] }

// Links returns the strongest far links, at most one per key, largest first. It leaves out links to the first token,
// and to or from special tokens, because many heads attend to them in any text. A map of counts has no links.
func (h *Head) Links(most int) []Link {
	if h.of.Kind == trace.Count {
		return nil
	}
	all := slices.DeleteFunc(slices.Clone(h.far), func(b Link) bool {
		return b.Weight == 0 || b.Key == 0 || h.of.Tokens[b.Key].IsSpecial() || h.of.Tokens[b.Query].IsSpecial()
	})
	return Strongest(all, most)
}

// Strongest returns up to most links, largest first.
func Strongest(all []Link, most int) []Link {
	slices.SortStableFunc(all, func(a, b Link) int { return cmp.Compare(b.Weight, a.Weight) })
	return all[:min(len(all), most)]
}

// cells returns the number of cells of n tokens at a level.
func cells(n, level int) int { return (n + 1<<level - 1) >> level }

// pool returns a map. Each of its cells is the largest of 2^levels × 2^levels cells.
func pool(t *tensor.T, levels int) *tensor.T {
	rows, cols := cells(t.Dim(0), levels), cells(t.Dim(1), levels)
	y := tensor.New(rows, cols)
	for i := range t.Dim(0) {
		to := y.Data[i>>levels*cols:][:cols]
		for j, w := range t.Data[i*t.Dim(1):][:t.Dim(1)] {
			to[j>>levels] = max(to[j>>levels], w)
		}
	}
	return y
}

// Levels returns the number of levels. The last one has a single tile.
func (h *Head) Levels() int {
	levels := 1
	for cells(len(h.of.Tokens), levels-1) > TileSide {
		levels++
	}
	return levels
}

// Tile returns a tile of a level, counted from 0: at most TileSide × TileSide cells. Tiles at the right and at
// the bottom are smaller.
func (h *Head) Tile(ctx context.Context, level, row, col int) (tile *tensor.T, err error) {
	n := len(h.of.Tokens)
	if level < 0 || level >= h.Levels() || row < 0 || col < 0 || max(row, col)*TileSide >= cells(n, level) {
		return nil, fault.Errorf(fault.NotFound, "long.tile", "level", level, "row", row, "column", col)
	}
	span := func(i, most int) ad.Span { return ad.Span{From: i, To: min(i+TileSide, most)} }
	if level >= h.first {
		side := cells(n, level)
		return h.keptPart(level, span(row*TileSide, side), span(col*TileSide, side)), nil
	}
	side := TileSide << level
	rows, cols := ad.Span{From: row * side, To: min((row+1)*side, n)}, ad.Span{From: col * side, To: min((col+1)*side, n)}
	return h.pooled(ctx, rows, cols, level)
}

// MostWindow is the most cells along each side of a window.
const MostWindow = 512

// Window is a part of the map of a head. Each cell shows the largest of 2^Level × 2^Level numbers.
type Window struct {
	Rows, Cols ad.Span // tokens, from 0
	Level      int
	Values     *tensor.T
}

// Window computes a part of the map. If it has too many rows or columns, cells are pooled, and the part is extended to
// whole cells.
func (h *Head) Window(ctx context.Context, rows, cols ad.Span) (w Window, err error) {
	n := len(h.of.Tokens)
	for _, s := range []ad.Span{rows, cols} {
		if s.From < 0 || s.From >= s.To || s.To > n {
			return w, fault.Errorf(fault.NotFound, "long.window", "from", s.From+1, "to", s.To, "tokens", n)
		}
	}
	whole := func(s ad.Span) ad.Span {
		return ad.Span{From: s.From >> w.Level, To: cells(s.To, w.Level)}
	}
	for max(whole(rows).To-whole(rows).From, whole(cols).To-whole(cols).From) > MostWindow {
		w.Level++
	}
	at, across := whole(rows), whole(cols)
	tokens := func(s ad.Span) ad.Span { return ad.Span{From: s.From << w.Level, To: min(n, s.To<<w.Level)} }
	w.Rows, w.Cols = tokens(at), tokens(across)
	if w.Level >= h.first {
		w.Values = h.keptPart(w.Level, at, across)
		return w, nil
	}
	w.Values, err = h.pooled(ctx, w.Rows, w.Cols, w.Level)
	return w, err
}

// keptPart copies a part of a stored level.
func (h *Head) keptPart(level int, rows, cols ad.Span) *tensor.T {
	from, part := h.kept[level-h.first], tensor.New(rows.To-rows.From, cols.To-cols.From)
	for i := range part.Dim(0) {
		copy(part.Data[i*part.Dim(1):][:part.Dim(1)], from.Data[(rows.From+i)*from.Dim(1)+cols.From:])
	}
	return part
}

// tileBand is the approximate number of rows of a map in memory at once.
const tileBand = 64

// pooled computes a part of the map and pools it, some rows at a time. The context can end it.
func (h *Head) pooled(ctx context.Context, rows, cols ad.Span, levels int) (tile *tensor.T, err error) {
	tile = tensor.New(cells(rows.To-rows.From, levels), cells(cols.To-cols.From, levels))
	band := max(tileBand, 1<<levels) // a multiple of the rows of a cell
	err = h.of.Tiles(ctx, func(p *nn.Pass) error {
		for from := rows.From; from < rows.To; from += band {
			if err := ctx.Err(); err != nil {
				return err
			}
			some := ad.Span{From: from, To: min(from+band, rows.To)}
			part := pool(h.of.Source.Tile(p, h.of.Head-1, some, cols, h.sums), levels)
			copy(tile.Data[(from-rows.From)>>levels*tile.Dim(1):], part.Data)
		}
		return nil
	})
	return tile, err
}

// Most returns the largest number of the map.
func (h *Head) Most() float64 { return float64(h.kept[len(h.kept)-1].Data[0]) }
