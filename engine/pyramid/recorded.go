package pyramid

import (
	"math"
	"slices"

	"attnatlas/engine/ad"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
	"attnatlas/engine/trace"
)

// recorded holds the maps of one layer for one text, in 16 bits per cell. It is for mechanisms whose maps depend on
// more than queries and keys.
type recorded struct {
	heads, n int
	most     float64  // the largest value
	cells    []uint16 // [H,N,N], as shares of most
}

// Record copies a map of pairs [H,N,N] or [N,N]. It returns nil if the map has other axes.
func Record(m trace.Map) Source {
	v, heads := m.Value, 1
	rank := v.Rank()
	if rank == 3 && m.Axes[0].Role == trace.Head {
		heads = v.Dim(0)
	} else if rank != 2 {
		return nil
	}
	if m.Axes[rank-2].Role != trace.Query || m.Axes[rank-1].Role != trace.Key {
		return nil
	}
	r := &recorded{heads: heads, n: v.Dim(-1), cells: make([]uint16, v.Len()), most: float64(slices.Max(v.Data))}
	if r.most > 0 {
		for i, x := range v.Data {
			r.cells[i] = pack(float32(float64(x) / r.most))
		}
	}
	return r
}

// A packed number has no sign, 5 bits of exponent and 11 bits of mantissa. It is between 2⁻³¹ and 1, with a relative
// error of at most 2⁻¹². Smaller numbers become 0.
const (
	leastBits   = (127 - 31) << 23 // 2⁻³¹ as a float32
	packedShift = 23 - 11
)

// pack packs a number from 0 to 1.
func pack(x float32) uint16 {
	if x < math.Float32frombits(leastBits) {
		return 0
	}
	return uint16((math.Float32bits(x) - leastBits + 1<<(packedShift-1)) >> packedShift)
}

// unpack is the inverse of pack.
func unpack(x uint16) float32 {
	if x == 0 {
		return 0
	}
	return math.Float32frombits(uint32(x)<<packedShift + leastBits)
}

// Heads implements Source.
func (r *recorded) Heads() int { return r.heads }

// Bytes implements Source.
func (r *recorded) Bytes() int64 { return 2 * int64(len(r.cells)) }

// Tile implements Source.
func (r *recorded) Tile(_ *nn.Pass, head int, rows, cols ad.Span, _ []float64) *tensor.T {
	tile := tensor.New(rows.To-rows.From, cols.To-cols.From)
	width := tile.Dim(1)
	for i := range tile.Dim(0) {
		from := r.cells[(head*r.n+rows.From+i)*r.n+cols.From:][:width]
		for j, x := range from {
			tile.Data[i*width+j] = tensor.Elem(float64(unpack(x)) * r.most)
		}
	}
	return tile
}

// Scan implements Source. It returns no sums.
func (r *recorded) Scan(p *nn.Pass, head int, see func(from int, weights *tensor.T) error) ([]float64, error) {
	for from := 0; from < r.n; from += tileBand {
		rows := ad.Span{From: from, To: min(from+tileBand, r.n)}
		if err := see(from, r.Tile(p, head, rows, ad.Span{From: 0, To: r.n}, nil)); err != nil {
			return nil, err
		}
	}
	return nil, nil
}

// Row implements Source.
func (r *recorded) Row(p *nn.Pass, query int) *tensor.T {
	row := tensor.New(r.heads, r.n)
	for h := range r.heads {
		copy(row.Data[h*r.n:], r.Tile(p, h, ad.Span{From: query, To: query + 1}, ad.Span{From: 0, To: r.n}, nil).Data)
	}
	return row
}
