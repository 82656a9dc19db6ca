package costs

import (
	"context"
	"errors"
	"testing"

	"attnatlas/engine/attention"
	"attnatlas/engine/nn"
)

func heardOf(t *testing.T, l Layers) Hearing {
	t.Helper()
	h, err := l.Listen(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// TestWindowsHearOneWindowMoreWithEachLayer compares receptive fields with the windows.
func TestWindowsHearOneWindowMoreWithEachLayer(t *testing.T) {
	const n = 20
	h := heardOf(t, Layers{Of: &attention.Longformer, Length: n, Count: 4,
		Options: map[string]string{"window": "4", "global": ""}})
	for at, first := range h.First {
		apart := max(at/n-at%n, at%n-at/n)
		want := max(1, (apart+1)/2) // w/2 = 2 further with each layer
		if want > 4 {
			want = 0
		}
		if first != want {
			t.Errorf("row %d, column %d: heard after %d layers, want %d", at/n, at%n, first, want)
		}
	}
	edges := 0
	for i := range n {
		for j := range n {
			if max(i-j, j-i) <= 2 {
				edges++
			}
		}
	}
	if len(h.Layers) != 4 || h.All() || h.Layers[0] != (HeardPair{edges, edges}) || h.Layers[3].Direct != edges {
		t.Errorf("%+v, an edge for each of %d pairs", h.Layers, edges)
	}
}

// TestGlobalWordsTellEverybody: global tokens complete all receptive fields in two layers.
func TestGlobalWordsTellEverybody(t *testing.T) {
	h := heardOf(t, Layers{Of: &attention.Longformer, Length: 20, Count: 4,
		Options: map[string]string{"window": "2", "global": "0"}})
	if len(h.Layers) != 2 || !h.All() {
		t.Errorf("%+v", h.Layers)
	}
}

// TestWhoReadsAllHearsAllAtOnce: full attention completes all receptive fields in one layer, and
// half of the pairs under a causal mask.
func TestWhoReadsAllHearsAllAtOnce(t *testing.T) {
	const n = 12
	for i := range attention.Catalog {
		e := &attention.Catalog[i]
		h := heardOf(t, Layers{Of: e, Length: n, Count: 2})
		if full := e.Growth == 2; full && (len(h.Layers) != 1 || !h.All()) {
			t.Errorf("%s: %+v", e.ID, h.Layers)
		}
		if !e.Masks.NoCausal.IsZero() || e.ID == attention.Reformer.ID { // its order depends on all tokens
			continue
		}
		h = heardOf(t, Layers{Of: e, Length: n, Count: 2, Mask: nn.Mask{Kind: nn.Causal}})
		for at, first := range h.First {
			if at%n > at/n && first != 0 {
				t.Errorf("%s: word %d has heard of %d", e.ID, at/n, at%n)
			}
		}
	}
}

func TestListeningEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	layers := Layers{Of: &attention.BigBird, Length: 12, Count: 2}
	if _, err := layers.Listen(ctx); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	layers.Of, layers.Options = &attention.Poolingformer, map[string]string{"stride": "9"}
	if _, err := layers.Listen(t.Context()); err == nil {
		t.Error("a stride that is longer than the kernel")
	}
}
