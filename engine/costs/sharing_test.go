package costs

import (
	"testing"

	"attnatlas/engine/encoder"
)

// TestLadder: with parameter sharing a model has the parameters of one layer, and otherwise the
// parameters of all layers.
func TestLadder(t *testing.T) {
	const vocab, d, inner = 4096, 128, 512
	all, err := Ladder(vocab)
	if err != nil {
		t.Fatal(err)
	}
	const layer = 4*d*d + 4*d + 2*d*inner + inner + d + 4*d // attention, feed-forward, two norms
	want := []Shared{
		{ID: "bert", Runs: 4, Own: 4, Layers: 4 * layer, Unshared: 4 * layer, Words: vocab*d + encoder.ShippedLength*d + 2*d},
		{ID: "albert", Runs: 4, Own: 1, Layers: layer, Unshared: 4 * layer,
			Words: vocab*d/4 + encoder.ShippedLength*d/4 + 2*d/4 + d/4*d + d},
		{ID: "universal", Runs: 6, Own: 1, Layers: layer, Unshared: 6 * layer, Words: vocab * d},
	}
	for i, got := range all {
		if got.All <= got.Layers+got.Words {
			t.Errorf("%s: nothing is left for its heads in %d", got.ID, got.All)
		}
		if got.All = 0; got != want[i] {
			t.Errorf("%+v, want %+v", got, want[i])
		}
	}
}
