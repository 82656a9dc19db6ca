package engine

import (
	"cmp"
	"context"
	"slices"
	"unsafe"

	"attnatlas/engine/ad"
	"attnatlas/engine/attention"
	"attnatlas/engine/encoder"
	"attnatlas/engine/fault"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
	"attnatlas/engine/tokenizer"
)

// LongText is a text for ReadLong, and what reading it takes.
type LongText struct {
	Tokens        []tokenizer.Token
	Longest       int // tokens that the model reads
	Layers, Heads int
	Kept, Passing int64   // bytes of all queries and keys, and of the pass
	Operations    float64 // of the pass
}

// Long holds the queries and keys of all layers of a model for one text. Parts of its attention maps are computed from
// them. It is safe for concurrent use.
type Long struct {
	LongText
	layers []*attention.Compared
	engine *Engine
}

// comparing opens a model that compares queries and keys by dot products.
func (e *Engine) comparing(id string) (*model, error) {
	entry, _, ok := Find(id)
	if !ok {
		return nil, e.unknown(id)
	}
	m, err := e.model(id)
	if err != nil {
		return nil, err
	}
	if m.seq2seq != nil || m.Config.Mechanism != attention.DotProduct.ID {
		return nil, fault.Errorf(fault.Unsupported, "long.mechanism", "name", entry.Name)
	}
	return m, nil
}

// Longs reports whether ReadLong reads texts with the model of an id, as far as that is known without opening it.
func (e *Engine) Longs(id string) bool {
	info, err := e.Info(id)
	entry, stack, ok := Find(id)
	return ok && err == nil && info.Mechanism == attention.DotProduct.ID && entry.Compares != nil &&
		(stack == nil || stack.ID != encoder.EncoderDecoder.ID)
}

// MeasureLong cuts a text into the tokens of a model, and estimates what ReadLong takes.
func (e *Engine) MeasureLong(id, text string) (LongText, error) {
	m, err := e.comparing(id)
	if err != nil {
		return LongText{}, err
	}
	_, of, err := e.longInput(m, id, text)
	return of, err
}

// longInput returns the tokens of a text as the model reads them, and the pass over them.
func (e *Engine) longInput(m *model, id, text string) (run func(*nn.Pass), of LongText, err error) {
	if len(text) > MaxTextBytes {
		return run, of, fault.Errorf(fault.Invalid, "error.too-many-bytes", "bytes", len(text), "most", MaxTextBytes)
	}
	run, read, err := e.readTokens(m, AttendInput{ID: id, Text: text})
	c, n := m.Config, len(read.Tokens)
	switch {
	case err != nil:
		return run, of, err
	case n == 0 || m.words == nil && n == 2:
		return run, of, fault.Errorf(fault.Invalid, "error.no-words")
	case n > c.Longest():
		return run, of, tooLong(c, n)
	}
	of = LongText{Tokens: read.Tokens, Longest: c.Longest(), Layers: c.Layers, Heads: c.Heads}
	if stack, ok := encoder.FindStack(c.Stack); ok {
		of.Layers = stack.Describe(c).Runs
	}
	const size = int64(unsafe.Sizeof(tensor.Elem(0)))
	d, tokens := float64(c.Width), float64(n)
	of.Kept = 2 * int64(of.Layers) * int64(n) * int64(c.Width) * size // fewer heads of keys take less
	of.Passing = int64(n) * (int64(8*c.Width+4*c.Inner)*size + int64(64*c.Heads)*size + int64(n)*2)
	of.Operations = float64(of.Layers) * tokens * (8*d*d + 6*d*float64(c.Inner) + 4*tokens*d)
	return run, of, nil
}

// ReadLong reads a text with a model once, and keeps the queries and keys of all layers. read hears how many layers are
// done.
func (e *Engine) ReadLong(ctx context.Context, id, text string, read func(layers int)) (*Long, error) {
	m, err := e.comparing(id)
	if err != nil {
		return nil, err
	}
	run, of, err := e.longInput(m, id, text)
	if err != nil {
		return nil, err
	}
	l := &Long{LongText: of, engine: e}
	err = protect(func() error {
		return e.passIn(ctx, nn.NewPass(ad.NewFrozen()), func(p *nn.Pass) {
			p.Brief = true
			p.OnCompare = func(p *nn.Pass, mixer nn.Mixer, q, k *ad.Var) {
				if c := attention.Compare(p, mixer, q, k); c != nil {
					l.layers = append(l.layers, c)
					read(len(l.layers))
				}
			}
			run(p)
		})
	})
	if err != nil {
		return nil, err
	}
	if len(l.layers) == 0 {
		return nil, fault.Errorf(fault.Unsupported, "long.mechanism", "name", id)
	}
	l.Layers, l.Heads, l.Kept = len(l.layers), l.layers[0].Heads(), 0
	for _, c := range l.layers {
		l.Kept += c.Bytes()
	}
	return l, nil
}

// TileSide is the number of cells of a tile along each side.
const TileSide = 256

// mostPooled is the most cells along each side of a level that is kept. Lower levels are computed tile by tile.
var mostPooled = 1024

// FarDistance is the least distance in tokens of a far link.
const FarDistance = 32

// LongLink is a weight of a map.
type LongLink struct {
	Query, Key  int // tokens, from 0
	Layer, Head int // from 1
	Weight      float64
}

// LongHead is the map of one head of a Long. Level l of it has cells of 2^l × 2^l weights, of which each shows the
// largest.
type LongHead struct {
	long  *Long
	of    *attention.Compared
	head  int // from 0
	sums  []float64
	first int         // the least level in kept
	kept  []*tensor.T // levels from first on
	far   []LongLink  // the strongest far link to each key; its weight is 0 if there is none
}

// LongHeadBytes is about the memory of a LongHead of n tokens.
func LongHeadBytes(n int) int64 {
	side := int64(min(n, mostPooled))
	return side*side*6 + int64(n)*64
}

// Head computes the overviews of a head, layer and head from 1. The context can end it.
func (l *Long) Head(ctx context.Context, layer, head int) (*LongHead, error) {
	if layer < 1 || layer > l.Layers || head < 1 || head > l.Heads {
		return nil, fault.Errorf(fault.NotFound, "long.head", "layer", layer, "head", head, "layers", l.Layers,
			"heads", l.Heads)
	}
	n := len(l.Tokens)
	h := &LongHead{long: l, of: l.layers[layer-1], head: head - 1, far: make([]LongLink, n)}
	for j := range h.far {
		h.far[j] = LongLink{Key: j, Layer: layer, Head: head}
	}
	for cells(n, h.first) > mostPooled {
		h.first++
	}
	base := tensor.New(cells(n, h.first), cells(n, h.first))
	err := l.engine.passIn(ctx, nn.NewPass(ad.NewFrozen()), func(p *nn.Pass) {
		sums, err := h.of.Scan(p, h.head, func(from int, weights *tensor.T) error {
			h.collect(base, from, weights)
			return ctx.Err()
		})
		if h.sums = sums; err != nil {
			panic(stopped{err})
		}
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
func (h *LongHead) collect(base *tensor.T, from int, weights *tensor.T) {
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

// Far returns the strongest link to a token, from 0, from a token that is at least FarDistance away. Its weight is 0 if
// there is none.
func (h *LongHead) Far(key int) LongLink { return h.far[key] }

// Links returns the strongest far links, at most one per key, largest first. The first token and special tokens
// are left out, because many heads attend to them whatever the text.
func (h *LongHead) Links(most int) []LongLink {
	all := slices.DeleteFunc(slices.Clone(h.far), func(b LongLink) bool {
		return b.Weight == 0 || b.Key == 0 || h.long.Tokens[b.Key].IsSpecial() || h.long.Tokens[b.Query].IsSpecial()
	})
	return strongest(all, most)
}

// strongest returns at most most links, largest first.
func strongest(all []LongLink, most int) []LongLink {
	slices.SortStableFunc(all, func(a, b LongLink) int { return cmp.Compare(b.Weight, a.Weight) })
	return all[:min(len(all), most)]
}

// cells returns the number of cells of n tokens at a level.
func cells(n, level int) int { return (n + 1<<level - 1) >> level }

// pool returns a map whose cells are the largest of 2^levels × 2^levels cells.
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
func (h *LongHead) Levels() int {
	levels := 1
	for cells(len(h.sums), levels-1) > TileSide {
		levels++
	}
	return levels
}

// Tile returns a tile of a level, counted from 0: at most TileSide × TileSide cells. Tiles at the right and at
// the bottom are smaller.
func (h *LongHead) Tile(ctx context.Context, level, row, col int) (tile *tensor.T, err error) {
	n := len(h.sums)
	if level < 0 || level >= h.Levels() || row < 0 || col < 0 || max(row, col)*TileSide >= cells(n, level) {
		return nil, fault.Errorf(fault.NotFound, "long.tile", "level", level, "row", row, "column", col)
	}
	span := func(i, most int) ad.Span { return ad.Span{From: i, To: min(i+TileSide, most)} }
	if level >= h.first {
		from := h.kept[level-h.first]
		rows, cols := span(row*TileSide, from.Dim(0)), span(col*TileSide, from.Dim(1))
		tile = tensor.New(rows.To-rows.From, cols.To-cols.From)
		for i := range tile.Dim(0) {
			copy(tile.Data[i*tile.Dim(1):][:tile.Dim(1)], from.Data[(rows.From+i)*from.Dim(1)+cols.From:])
		}
		return tile, nil
	}
	side := TileSide << level
	rows, cols := ad.Span{From: row * side, To: min((row+1)*side, n)}, ad.Span{From: col * side, To: min((col+1)*side, n)}
	err = h.long.engine.pass(ctx, func(p *nn.Pass) { tile = h.of.Tile(p, h.head, rows, cols, h.sums) })
	if err == nil && level > 0 {
		tile = pool(tile, level)
	}
	return tile, err
}

// Readers returns the heads in which a query attends most to a key, largest first: at most most of them.
func (l *Long) Readers(ctx context.Context, query int, keys []int, most int) (all []LongLink, err error) {
	err = l.engine.pass(ctx, func(p *nn.Pass) {
		for i, c := range l.layers {
			row := c.Row(p, query)
			for h := range c.Heads() {
				one := LongLink{Query: query, Layer: i + 1, Head: h + 1}
				for _, k := range keys {
					if w := float64(row.At(h, k)); w > one.Weight {
						one.Key, one.Weight = k, w
					}
				}
				if one.Weight > 0 {
					all = append(all, one)
				}
			}
		}
	})
	return strongest(all, most), err
}
