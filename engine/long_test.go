package engine

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"attnatlas/engine/attention"
	"attnatlas/engine/fault"
	"attnatlas/engine/pyramid"
	"attnatlas/engine/tensor"
	"attnatlas/engine/trace"
)

// tolerance is for maps of passes that add in another order. huggingface.TestTiles compares maps of one pass.
const tolerance = 1e-5

// recordedTolerance is for maps that are kept in 16 bits, as a fraction of the largest number.
const recordedTolerance = 1e-3

// longText is a text of about 200 tokens.
var longText = strings.Repeat("The old cat sat on the mat because it was tired. A dog barked at the moon. ", 10)

// TestLong: tiles of all levels, computed and kept ones, hold the largest of the cells that they stand for. The cells
// are those of the ordinary maps. Far links and readers are the largest weights of the maps.
func TestLong(t *testing.T) {
	defer func(most int) { mostPooled = most }(mostPooled)
	r := rand.New(rand.NewPCG(5, 6))
	e, ctx := New(), context.Background()
	for _, id := range []string{"dot-product", "bert", "gpt2", "albert", "universal", "sandwich", "reversible", "fastformer",
		"linear", "longformer", "bigbird", "poolingformer", "reformer", "shuffle-exchange", "residual-shuffle-exchange"} {
		mostPooled = 1024 >> r.IntN(6)
		text := longText
		if id == "dot-product" { // it has several tiles
			mostPooled, text = 64, longText+longText
		}
		rep, err := e.Inspect(ctx, Request{Text: text, Mechanisms: []string{id}})
		if err != nil || rep.Mechanisms[0].Err != nil {
			t.Fatal(id, err, rep.Mechanisms[0].Err)
		}
		read := 0
		l, err := e.ReadLong(ctx, id, text, func(layers int) { read = layers })
		if err != nil || read != l.Layers || l.Layers != len(rep.Mechanisms[0].Layers) || !e.Longs(id) {
			t.Fatal(id, err, read)
		}
		for layer := 1; layer <= l.Layers; layer++ {
			m, _ := rep.Mechanisms[0].Layers[layer-1].Find(l.View.Map)
			for head := 1; head <= l.Heads; head++ {
				h, err := l.Head(ctx, layer, head)
				one, err2 := m.Head(head - 1)
				if err != nil || err2 != nil || one.Kind != l.Kind {
					t.Fatal(id, err, err2, l.Kind)
				}
				checkTiles(t, l, h, one.Value)
				checkFar(t, l, h, one.Value)
			}
		}
		if l.Kind == trace.Count {
			continue
		}
		query := len(l.Tokens) - 1 - r.IntN(20)
		best, err := l.Readers(ctx, query, []int{2, 3}, 1)
		most := pyramid.Link{}
		for i, layer := range rep.Mechanisms[0].Layers {
			m, _ := layer.Find(l.View.Map)
			for head := range l.Heads {
				for key := 2; key <= 3; key++ {
					if w := float64(m.Value.At(head, query, key)); w > most.Weight {
						most = pyramid.Link{Query: query, Key: key, Layer: i + 1, Head: head + 1, Weight: w}
					}
				}
			}
		}
		if err == nil && len(best) == 0 && most.Weight == 0 {
			continue // the query attends to neither of the keys
		}
		if err != nil || len(best) != 1 || math.Abs(best[0].Weight-most.Weight) > recordedTolerance*max(1, most.Weight) {
			t.Errorf("%s: the head that reads most is %+v, wanted %+v (%v)", id, best, most, err)
		}
	}
}

// toleranceOf returns the tolerance for the numbers of a head.
func toleranceOf(l *Long, h *pyramid.Head) float64 {
	if _, ok := l.layers[0].(*attention.Compared); ok {
		return tolerance
	}
	return recordedTolerance * h.Most()
}

// checkTiles compares all tiles of a head with its map [N,N].
func checkTiles(t *testing.T, l *Long, h *pyramid.Head, want *tensor.T) {
	t.Helper()
	n, tolerance := want.Dim(0), toleranceOf(l, h)
	if _, err := h.Tile(context.Background(), h.Levels(), 0, 0); fault.KindOf(err) != fault.NotFound {
		t.Errorf("a tile of level %d: %v", h.Levels(), err)
	}
	for level := range h.Levels() {
		side := (n + 1<<level - 1) >> level
		for row := 0; row*pyramid.TileSide < side; row++ {
			for col := 0; col*pyramid.TileSide < side; col++ {
				tile, err := h.Tile(context.Background(), level, row, col)
				if err != nil || tile.Dim(0) != min(pyramid.TileSide, side-row*pyramid.TileSide) {
					t.Fatal(err, tile.Shape)
				}
				for i := range tile.Dim(0) {
					for j := range tile.Dim(1) {
						most := tensor.Elem(0)
						for y := (row*pyramid.TileSide + i) << level; y < min(n, (row*pyramid.TileSide+i+1)<<level); y++ {
							for x := (col*pyramid.TileSide + j) << level; x < min(n, (col*pyramid.TileSide+j+1)<<level); x++ {
								most = max(most, want.At(y, x))
							}
						}
						if math.Abs(float64(tile.At(i, j)-most)) > tolerance {
							t.Fatalf("level %d, tile %d.%d, cell %d.%d is %v, wanted %v", level, row, col, i, j, tile.At(i, j), most)
						}
					}
				}
			}
		}
		if _, err := h.Tile(context.Background(), level, side/pyramid.TileSide+1, 0); fault.KindOf(err) != fault.NotFound {
			t.Errorf("a tile outside level %d: %v", level, err)
		}
	}
}

// checkFar compares the far links of a head with its map [N,N].
func checkFar(t *testing.T, l *Long, h *pyramid.Head, want *tensor.T) {
	t.Helper()
	n, strongest, tolerance := want.Dim(0), 0.0, toleranceOf(l, h)
	for j := range n {
		most := 0.0
		for i := range n {
			if w := float64(want.At(i, j)); max(i-j, j-i) >= pyramid.FarDistance && w > most {
				most = w
			}
		}
		if got := h.Far(j); math.Abs(got.Weight-most) > tolerance || got.Key != j {
			t.Errorf("the strongest far link to token %d is %+v, wanted a weight of %v", j, got, most)
		}
		if q := h.Far(j).Query; j > 0 && j < n-1 && !l.Tokens[q].IsSpecial() && !l.Tokens[j].IsSpecial() {
			strongest = max(strongest, most)
		}
	}
	links := h.Links(3)
	if strongest == 0 || l.Kind == trace.Count {
		if len(links) > 0 {
			t.Errorf("%d far links, wanted none", len(links))
		}
		return
	}
	if len(links) == 0 || math.Abs(links[0].Weight-strongest) > tolerance ||
		links[len(links)-1].Weight > links[0].Weight {
		t.Errorf("the strongest far links are %+v, wanted %v first", links, strongest)
	}
}

// TestLongLimits: mechanisms whose formulas allow any number of tokens read 4,096 of them and no more. The others
// refuse with their own limit.
func TestLongLimits(t *testing.T) {
	e := New()
	for _, entry := range attention.Catalog {
		info, err := e.Info(entry.ID)
		if err != nil {
			t.Fatal(err)
		}
		of, err := e.MeasureLong(entry.ID, strings.Repeat("cat ", 4094))
		if endless := entry.Endless(MixerOf(info)); !endless {
			if fault.KindOf(err) != fault.Unsupported || !strings.Contains(err.Error(), "at most 256 tokens") ||
				e.Longs(entry.ID) {
				t.Errorf("%s: %v", entry.ID, err)
			}
			continue
		}
		if err != nil || len(of.Tokens) != 4096 || of.Longest != 4096 || !e.Longs(entry.ID) {
			t.Errorf("%s: %v, %d tokens of %d", entry.ID, err, len(of.Tokens), of.Longest)
		}
		if _, err := e.MeasureLong(entry.ID, strings.Repeat("cat ", 4095)); fault.KindOf(err) != fault.Unsupported {
			t.Errorf("%s of 4,097 tokens: %v", entry.ID, err)
		}
	}
	l, err := e.ReadLong(context.Background(), "residual-shuffle-exchange", strings.Repeat("cat ", 4094), func(int) {})
	if err != nil || l.Kept != 2*2*4096*4096 {
		t.Errorf("%v, %+v", err, l)
	}
}

// TestLongRefused: models with a limit, encoder–decoders, long and empty texts, and heads that do not exist are
// refused with a reason. The pass stops when its context ends.
func TestLongRefused(t *testing.T) {
	e, ctx := New(), context.Background()
	for id, want := range map[string]fault.Kind{"dense": fault.Unsupported, "encoder-decoder": fault.Unsupported,
		"none": fault.NotFound} {
		if _, err := e.ReadLong(ctx, id, longText, func(int) {}); fault.KindOf(err) != want || e.Longs(id) {
			t.Errorf("%s: %v", id, err)
		}
	}
	for text, want := range map[string]fault.Kind{"": fault.Invalid, strings.Repeat(longText, 25): fault.Unsupported,
		strings.Repeat("a", MaxTextBytes+1): fault.Invalid} {
		if _, err := e.MeasureLong("gpt2", text); fault.KindOf(err) != want {
			t.Errorf("a text of %d bytes: %v", len(text), err)
		}
	}
	ended, end := context.WithCancel(ctx)
	_, err := e.ReadLong(ended, "gpt2", longText, func(int) { end() })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("an ended context: %v", err)
	}
	l, err := e.ReadLong(ctx, "gpt2", longText, func(int) {})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := l.Head(ended, 1, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("a head in an ended context: %v", err)
	}
	if _, err := l.Head(ctx, 1, 99); fault.KindOf(err) != fault.NotFound {
		t.Errorf("head 99: %v", err)
	}
}
