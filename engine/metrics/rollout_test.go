package metrics

import (
	"math"
	"math/rand/v2"
	"testing"

	"attnatlas/engine/tensor"
	"attnatlas/engine/trace"
)

// weights returns random attention weights [H,N,N]. Each row contains only the pairs for which
// reads is true, and sums to 1.
func weights(r *rand.Rand, heads, n int, reads func(i, j int) bool) trace.Map {
	m := trace.Map{Kind: trace.Probability, Value: tensor.New(heads, n, n),
		Axes: []trace.Axis{{Role: trace.Head}, {Role: trace.Query}, {Role: trace.Key}}}
	for at := 0; at < m.Value.Len(); at += n {
		row, sum := m.Value.Data[at:][:n], tensor.Elem(0)
		for j := range row {
			if reads(at/n%n, j) {
				row[j] = tensor.Elem(r.ExpFloat64())
				sum += row[j]
			}
		}
		for j := range row {
			row[j] /= sum
		}
	}
	return m
}

// TestRolloutByHand: two layers of two words, computed by hand.
func TestRolloutByHand(t *testing.T) {
	// heads (1 0 / 0 1) and (0 1 / 0 1): mean (½ ½ / 0 1), Ã₁ = (¾ ¼ / 0 1)
	first := trace.Map{Value: tensor.From([]tensor.Elem{1, 0, 0, 1, 0, 1, 0, 1}, 2, 2, 2),
		Axes: []trace.Axis{{Role: trace.Head}, {Role: trace.Query}, {Role: trace.Key}}}
	// (0 1 / 1 0): Ã₂ = (½ ½ / ½ ½)
	second := trace.Map{Value: tensor.From([]tensor.Elem{0, 1, 1, 0}, 2, 2),
		Axes: []trace.Axis{{Role: trace.Query}, {Role: trace.Key}}}
	got := Rollout([]trace.Map{first, second})
	// Ã₂·Ã₁ = (⅜ ⅝ / ⅜ ⅝)
	for l, want := range [][]float64{{0.75, 0.25, 0, 1}, {0.375, 0.625, 0.375, 0.625}} {
		for i, v := range want {
			near(t, "a cell of layer "+string(rune('1'+l)), float64(got[l].Data[i]), v)
		}
	}
}

// TestRolloutOfRows: rows sum to 1 after every layer, even if the weights do not quite. If a row is
// empty, the word keeps its own state.
func TestRolloutOfRows(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	all := func(int, int) bool { return true }
	layers := []trace.Map{weights(r, 3, 7, all), weights(r, 3, 7, all), weights(r, 3, 7, all)}
	for i := range layers[1].Value.Data {
		layers[1].Value.Data[i] *= 0.9
	}
	for h := range 3 {
		clear(layers[0].Value.Data[h*49:][:7])
	}
	got := Rollout(layers)
	for l, m := range got {
		if d := RowSumDeviation(trace.Map{Value: m}); !(d < 1e-6) {
			t.Errorf("layer %d: rows sum to 1 ± %v", l+1, d)
		}
	}
	near(t, "the word that reads nothing", float64(got[0].At(0, 0)), 1)
	for i := 1; i < 7; i++ {
		for j := range 7 {
			mean := 0.0
			for h := range 3 {
				mean += float64(layers[0].Value.At(h, i, j)) / 3
			}
			if i == j {
				mean++
			}
			near(t, "one layer", float64(got[0].At(i, j)), mean/2)
		}
	}
}

// TestRolloutReadsNothingAhead: the rollout of causal layers is causal, exactly.
func TestRolloutReadsNothingAhead(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	before := func(i, j int) bool { return j <= i }
	got := Rollout([]trace.Map{weights(r, 2, 9, before), weights(r, 2, 9, before)})
	for i := range 9 {
		for j := range 9 {
			if v := got[1].At(i, j); (v != 0) != (j <= i) || math.IsNaN(float64(v)) {
				t.Fatalf("word %d has %v of word %d", i, v, j)
			}
		}
	}
}
