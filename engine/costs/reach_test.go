package costs

import (
	"context"
	"errors"
	"testing"

	"attnatlas/engine/attention"
	"attnatlas/engine/nn"
)

func heardOf(t *testing.T, e *attention.Entry, n, layers int, options map[string]string, mask nn.Mask) Hearing {
	t.Helper()
	h, err := Listen(context.Background(), e, n, layers, options, mask)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// TestWindowsHearOneWindowMoreWithEachLayer holds what is heard against the windows.
func TestWindowsHearOneWindowMoreWithEachLayer(t *testing.T) {
	const n = 20
	h := heardOf(t, &attention.Longformer, n, 4, map[string]string{"window": "4", "global": ""}, nn.Mask{})
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

// TestGlobalWordsTellEverybody: in two layers.
func TestGlobalWordsTellEverybody(t *testing.T) {
	h := heardOf(t, &attention.Longformer, 20, 4, map[string]string{"window": "2", "global": "0"}, nn.Mask{})
	if len(h.Layers) != 2 || !h.All() {
		t.Errorf("%+v", h.Layers)
	}
}

// TestWhoReadsAllHearsAllAtOnce, and with the causal mask the half.
func TestWhoReadsAllHearsAllAtOnce(t *testing.T) {
	const n = 12
	for i := range attention.Catalog {
		e := &attention.Catalog[i]
		h := heardOf(t, e, n, 2, nil, nn.Mask{})
		if full := e.Growth == 2; full && (len(h.Layers) != 1 || !h.All()) {
			t.Errorf("%s: %+v", e.ID, h.Layers)
		}
		if !e.Masks.NoCausal.IsZero() || e.ID == attention.Reformer.ID { // whose order depends on all words
			continue
		}
		h = heardOf(t, e, n, 2, nil, nn.Mask{Kind: nn.Causal})
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
	if _, err := Listen(ctx, &attention.BigBird, 12, 2, nil, nn.Mask{}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if _, err := Listen(context.Background(), &attention.Poolingformer, 12, 2, map[string]string{"stride": "9"},
		nn.Mask{}); err == nil {
		t.Error("a stride that is longer than the kernel")
	}
}
