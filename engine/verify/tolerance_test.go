package verify

import (
	"math"
	"testing"

	"attnatlas/engine/checkpoint"
	"attnatlas/engine/tensor"
)

func TestTolerances(t *testing.T) {
	steep, none := tensor.From([]tensor.Elem{10, -50}, 2), tensor.From([]tensor.Elem{1e-6, -2e-6}, 2)
	few := tensor.From([]tensor.Elem{6e-5, 0}, 2)
	text, empty := tensor.From([]tensor.Elem{1, 0, 1, 1}, 2, 2), tensor.From([]tensor.Elem{1, 0, 0, 0}, 2, 2)
	for _, c := range []struct {
		mechanism string
		mask      *tensor.T
		rounding  float64
		name      string
		want      float64
	}{
		{"fastformer_attn", text, 0, "alpha", mapTolerance},
		{"fastformer_attn", empty, 0, "alpha", penaltyTolerance},
		{"fastformer_attn", empty, 0, "out", penaltyTolerance},
		{"seed003_dense", empty, 0, "weights.attn", mapTolerance},
		{"longformer", text, 0, "attn_dense.0", mapTolerance},
		{"longformer", text, 0, "grad.b_K", vanishing * 50},
		{"longformer", text, 0, "grad.few", vanishing * 50}, // just above the noise: no discontinuity
		{"longformer", text, 1e-6, "grad.b_K", roundingFactor * 1e-6},
		{"longformer", text, 0, "grad.W_Q", gradientTolerance * 50},
	} {
		arrays := map[string]*tensor.T{"mask01": c.mask, "grad.W_Q": steep, "grad.b_K": none, "grad.few": few, "alpha": steep,
			"out": none, "weights.attn": none, "attn_dense.0": none}
		of := &Case{Mechanism: c.mechanism, Config: Config{Rounding: c.rounding}, IO: &checkpoint.File{Arrays: arrays}}
		if got := of.limit(of.reference(), c.name)(0); math.Abs(got/c.want-1) > 1e-9 {
			t.Errorf("%s %s, rounding %g: %g, not %g", c.mechanism, c.name, c.rounding, got, c.want)
		}
	}
}

// TestScoresOfPaddingAreApart: a score of −10⁴ can differ by the precision of float32, but the
// score next to it cannot.
func TestScoresOfPaddingAreApart(t *testing.T) {
	want := tensor.From([]tensor.Elem{1, -1e4}, 2)
	c := &Case{Mechanism: "fastformer_attn", IO: &checkpoint.File{Arrays: map[string]*tensor.T{"alpha_score": want,
		"beta_score": want, "p": want}}}
	for _, test := range []struct {
		got  []tensor.Elem
		name string
		ok   bool
	}{
		{[]tensor.Elem{1, -1e4 + 5e-3}, "alpha_score", true},
		{[]tensor.Elem{1 + 5e-3, -1e4}, "alpha_score", false},
		{[]tensor.Elem{1 + 5e-3, -1e4}, "beta_score", false},
		{[]tensor.Elem{1 + 5e-3, -1e4}, "p", true}, // by the rule for whole arrays
	} {
		if r := c.compare(c.reference(), test.name, tensor.From(test.got, 2)); r.OK != test.ok {
			t.Errorf("%s %v agrees with %v: %v", test.name, test.got, want.Data, r.OK)
		}
	}
}
