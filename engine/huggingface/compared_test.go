package huggingface_test

import (
	"math"
	"math/rand/v2"
	"path/filepath"
	"testing"
	"unsafe"

	"attnatlas/engine/ad"
	"attnatlas/engine/attention"
	"attnatlas/engine/huggingface"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
	"attnatlas/engine/trace"
)

// TestTiles: random parts of the maps equal the same parts of the recorded maps. They are computed from the queries and
// keys of a pass that keeps nothing else. The models have causal masks, windows, ALiBi, relative positions, capped
// scores, shared keys and rotary positions.
func TestTiles(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	tried := 0
	for _, dir := range goldens(t) {
		m, err := huggingface.Open(dir)
		if err != nil || m.Seq2Seq != nil || m.Config.Mechanism != attention.DotProduct.ID {
			continue
		}
		ids := make([]int, min(100, m.Config.Longest()))
		for i := range ids {
			ids[i] = r.IntN(m.Config.Vocab)
		}
		recorded, exact := compared(m, ids, &trace.Run{Only: []string{"weights"}})
		_, long := compared(m, ids, nil)
		if len(exact) == 0 || len(exact) != len(recorded.Parts) || len(exact) != len(long) {
			t.Errorf("%s: %d and %d layers are kept of %d", filepath.Base(dir), len(exact), len(long), len(recorded.Parts))
			continue
		}
		queries, keys := m.Config.Compared()
		if size := int(unsafe.Sizeof(tensor.Elem(0))); exact[0].Bytes() != int64(len(ids)*(queries+keys)*size) {
			t.Errorf("%s: queries and keys take %d bytes, estimated with %d and %d features", filepath.Base(dir),
				exact[0].Bytes(), queries, keys)
		}
		tried++
		for l := range exact {
			want, _ := recorded.Parts[l].Find("weights")
			if off := tilesOff(r, exact[l], want.Value); off > 1e-6 {
				t.Errorf("%s, layer %d: a weight differs by %v", filepath.Base(dir), l+1, off)
			}
			if off := tilesOff(r, long[l], want.Value); off > 2e-5 { // the layers before it round in another order
				t.Errorf("%s, layer %d of a pass of its own: a weight differs by %v", filepath.Base(dir), l+1, off)
			}
		}
	}
	if tried < 25 {
		t.Errorf("only %d models were tried", tried)
	}
}

// compared runs a model and returns the record, and the queries and keys of its layers.
func compared(m *huggingface.Model, ids []int, run *trace.Run) (*trace.Run, []*attention.Compared) {
	var kept []*attention.Compared
	p := nn.NewPass(ad.NewFrozen())
	p.Run = run
	p.OnCompare = func(p *nn.Pass, mixer nn.Mixer, q, k *ad.Var) {
		kept = append(kept, attention.Compare(p, mixer, q, k))
	}
	m.Encode(p, ids, 1)
	return run, kept
}

// tilesOff returns the largest difference from the maps [H,N,N] of a layer: over random tiles, all rows, and one row in
// all heads.
func tilesOff(r *rand.Rand, c *attention.Compared, want *tensor.T) (off float64) {
	n := c.Tokens()
	see := func(got tensor.Elem, head, row, col int) {
		off = max(off, math.Abs(float64(got-want.At(head, row, col))))
		if math.IsNaN(float64(got)) {
			off = math.Inf(1)
		}
	}
	p := nn.NewPass(ad.NewFrozen())
	for head := range c.Heads() {
		sums, _ := c.Scan(p, head, func(from int, weights *tensor.T) error {
			for i, w := range weights.Data {
				see(w, head, from+i/n, i%n)
			}
			return nil
		})
		for range 4 {
			rows, cols := span(r, n), span(r, n)
			tile := c.Tile(p, head, rows, cols, sums)
			for i, w := range tile.Data {
				see(w, head, rows.From+i/tile.Dim(1), cols.From+i%tile.Dim(1))
			}
		}
	}
	query := r.IntN(n)
	for i, w := range c.Row(p, query).Data {
		see(w, i/n, query, i%n)
	}
	return off
}

// span draws a span of at least one of n tokens.
func span(r *rand.Rand, n int) ad.Span {
	from := r.IntN(n)
	return ad.Span{From: from, To: from + 1 + r.IntN(n-from)}
}
