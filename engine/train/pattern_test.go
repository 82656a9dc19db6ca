package train

import (
	"math"
	"math/rand/v2"
	"testing"

	"attnatlas/engine/ad"
	"attnatlas/engine/attention"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
	"attnatlas/engine/tokenizer"
	"attnatlas/engine/trace"
)

// TestPatternsOfTheRecipe: with the recipe's options, sparse mechanisms leave out cells of every
// head in a sentence of 20 tokens, and most cells in long texts. Linformer has fewer slots than
// words.
func TestPatternsOfTheRecipe(t *testing.T) {
	jobs, err := Shipped().Jobs([]string{"longformer", "bigbird", "poolingformer", "reformer", "linformer"},
		tokenizer.Default().Size(), t.TempDir())
	if err != nil || len(jobs) != 5 {
		t.Fatal(len(jobs), err)
	}
	for _, j := range jobs {
		c := j.Options.Model
		e, _ := attention.Find(c.Mechanism)
		for n, most := range map[int]float64{20: 0.75, 64: 0.5, 256: 0.2} {
			m, err := e.New(nn.NewScope(1), attention.Config{Width: 32, Heads: 4, Length: c.Length, Options: c.MixerOptions})
			if err != nil {
				t.Fatal(err)
			}
			weights := weightsOf(t, m, n)
			if c.Mechanism == "linformer" {
				if slots := weights.Value.Dim(-1); slots >= n/2 {
					t.Errorf("linformer has %d slots for %d tokens", slots, n)
				}
				continue
			}
			for h := range 4 {
				if share := filled(weights.Value.Sub(h)); share > most || share < 1/float64(n) {
					t.Errorf("%s, head %d: %.0f %% of the cells of %d tokens are read", c.Mechanism, h+1, 100*share, n)
				}
			}
		}
	}
}

// weightsOf returns the main map of a mixer for n random words.
func weightsOf(t *testing.T, m attention.Mixer, n int) trace.Map {
	t.Helper()
	p, x, r := nn.NewPass(ad.NewFrozen()), tensor.New(1, n, 32), rand.New(rand.NewPCG(1, 2))
	for i := range x.Data {
		x.Data[i] = tensor.Elem(r.NormFloat64())
	}
	p.Run = &trace.Run{}
	m.Mix(p, p.Tape.Const(x))
	found, ok := p.Run.Find("weights")
	if !ok {
		t.Fatal("no weights")
	}
	return found
}

// filled returns the fraction of cells that are not 0.
func filled(t *tensor.T) float64 {
	count := 0
	for _, v := range t.Data {
		if math.Abs(float64(v)) > 1e-6 {
			count++
		}
	}
	return float64(count) / float64(t.Len())
}
