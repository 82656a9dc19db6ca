package attention

import (
	"math"
	"slices"
	"unsafe"

	"attnatlas/engine/ad"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
)

// Compared holds the queries and keys of one layer for one text. It computes any part of the layer's attention
// maps from them, with the code of the forward pass, so that the maps of a long text never exist as a whole.
type Compared struct {
	m      *Product
	q, k   *tensor.T // [1,N,d] and [1,N,·], as the layer compares them
	causal bool
}

// Compare copies the queries and keys of a mixer in a pass over one text. It returns nil if the mixer is not a Product.
func Compare(p *nn.Pass, mixer nn.Mixer, q, k *ad.Var) *Compared {
	m, ok := mixer.(*Product)
	if !ok || q.Dim(0) != 1 || q.Dim(-2) != k.Dim(-2) {
		return nil
	}
	return &Compared{m: m, q: q.Value.Clone(), k: k.Value.Clone(), causal: p.Mask.Kind == nn.Causal}
}

// Heads returns the number of heads.
func (c *Compared) Heads() int { return c.m.Heads }

// Tokens returns the number N of tokens.
func (c *Compared) Tokens() int { return c.q.Dim(-2) }

// band is the number of queries whose scores exist at once.
const band = 64

// Tile computes a part of the map of a head: the weights [rows,cols] of the queries in rows for the keys in cols. sums
// are the logarithms of the sums of exponentials of all rows, from Scan.
func (c *Compared) Tile(p *nn.Pass, head int, rows, cols ad.Span, sums []float64) *tensor.T {
	tile := tensor.New(rows.To-rows.From, cols.To-cols.From)
	width := tile.Dim(1)
	for from := rows.From; from < rows.To; from += band {
		part := ad.Span{From: from, To: min(from+band, rows.To)}
		scores := c.scores(p, head, part, cols)
		for i, s := range scores.Data {
			row := part.From + i/width
			tile.Data[(row-rows.From)*width+i%width] = tensor.Elem(math.Exp(float64(s) - sums[row]))
		}
	}
	return tile
}

// Scan computes the whole map of a head, some rows [rows,N] at a time, and passes each part to see, which must not keep
// the weights. It returns the logarithm of the sum of exponentials of each row. An error of see ends the scan.
func (c *Compared) Scan(p *nn.Pass, head int, see func(from int, weights *tensor.T) error) (sums []float64, err error) {
	n := c.Tokens()
	for from := 0; from < n; from += band {
		rows := ad.Span{From: from, To: min(from+band, n)}
		weights := c.scores(p, head, rows, ad.Span{From: 0, To: n})
		peaks := make([]float64, weights.Dim(0))
		for i := range peaks {
			peaks[i] = float64(slices.Max(weights.Data[i*n:][:n]))
		}
		tensor.SoftmaxRows(weights.Data, weights.Data, n)
		for i, peak := range peaks { // the largest weight is exp(peak − sum)
			sums = append(sums, peak-math.Log(float64(slices.Max(weights.Data[i*n:][:n]))))
		}
		if err := see(from, weights); err != nil {
			return nil, err
		}
	}
	return sums, nil
}

// Row computes the weights [H,N] of one query in all heads.
func (c *Compared) Row(p *nn.Pass, query int) *tensor.T {
	n := c.Tokens()
	row := c.whole(p, query, query+1).Reshape(c.Heads(), n) // [H,N]
	c.hide(row, func(int) int { return query }, ad.Span{From: 0, To: n})
	tensor.SoftmaxRows(row.Data, row.Data, n)
	return row
}

// scores computes the scores [rows,cols] of a head. Hidden pairs have the score nn.Masked.
func (c *Compared) scores(p *nn.Pass, head int, rows, cols ad.Span) *tensor.T {
	var s *tensor.T
	if c.m.Bias == nil {
		s = c.products(p, head, rows, cols)
	} else { // a bias is defined for all heads and keys
		all, width := c.whole(p, rows.From, rows.To), cols.To-cols.From
		s = tensor.New(rows.To-rows.From, width)
		for i := range s.Dim(0) {
			copy(s.Data[i*width:][:width], all.Sub(head).Data[i*c.Tokens()+cols.From:])
		}
	}
	c.hide(s, func(i int) int { return rows.From + i }, cols)
	return s
}

// products computes the scores [rows,cols] of a head without a bias, and without a mask.
func (c *Compared) products(p *nn.Pass, head int, rows, cols ad.Span) *tensor.T {
	p.Reset()
	one := *c.m
	width, shared := c.q.Dim(-1)/c.m.Heads, 1
	if c.m.KVHeads > 0 {
		shared = c.m.Heads / c.m.KVHeads
	}
	one.Heads, one.KVHeads = 1, 0
	q := p.Tape.Const(part(c.q, rows, head*width, width))
	k := p.Tape.Const(part(c.k, cols, head/shared*width, width))
	return one.scores(p, q, k).rows(0, rows.To-rows.From).Value.Reshape(rows.To-rows.From, cols.To-cols.From).Clone()
}

// part copies some rows of x [1,N,d], width columns from first on: [1,rows,width].
func part(x *tensor.T, rows ad.Span, first, width int) *tensor.T {
	t, d := tensor.New(1, rows.To-rows.From, width), x.Dim(-1)
	for i := range t.Dim(1) {
		copy(t.Data[i*width:][:width], x.Data[(rows.From+i)*d+first:])
	}
	return t
}

// whole computes the scores [H,to-from,N] of some queries in all heads, without a mask.
func (c *Compared) whole(p *nn.Pass, from, to int) *tensor.T {
	p.Reset()
	q, k := p.Tape.Const(c.q), p.Tape.Const(c.k)
	return c.m.scores(p, q, c.m.repeat(k)).rows(from, to).Value.Reshape(c.Heads(), to-from, c.Tokens()).Clone()
}

// hide sets the scores [rows,cols] of hidden pairs to nn.Masked.
func (c *Compared) hide(scores *tensor.T, query func(row int) int, cols ad.Span) {
	n, width := c.Tokens(), scores.Dim(1)
	for i := range scores.Dim(0) {
		at, row := query(i), scores.Data[i*width:][:width]
		var pairs []bool
		if c.m.Window != nil {
			pairs = c.m.Window(at, at+1, n)
		}
		for j := range row {
			if key := cols.From + j; c.causal && key > at || pairs != nil && !pairs[key] {
				row[j] = nn.Masked
			}
		}
	}
}

// Bytes returns the memory of the queries and keys.
func (c *Compared) Bytes() int64 {
	return int64(c.q.Len()+c.k.Len()) * int64(unsafe.Sizeof(tensor.Elem(0)))
}
