package encoder

import (
	"math"
	"testing"

	"attnatlas/engine/ad"
	"attnatlas/engine/nn"
)

// continued returns a small model of next words.
func continued(tb testing.TB, id string, vary func(*Config)) *Model {
	tb.Helper()
	stack, mechanism, err := Parse(id)
	if err != nil {
		tb.Fatal(err)
	}
	c, err := Default(stack, mechanism, 300)
	if err != nil {
		tb.Fatal(err)
	}
	c.Length = 12
	if vary != nil {
		vary(&c)
	}
	m, err := New(c, 7)
	if err != nil {
		tb.Fatal(err)
	}
	return m
}

// TestCachedIsUncached: however many tokens are read at once, the scores after every token equal
// those of the whole text. This holds for sinusoidal and learned positions, beyond the trained
// length, and after removing tokens. A mechanism without a cache gives the same scores.
func TestCachedIsUncached(t *testing.T) {
	text := []int{2, 270, 280, 290, 270, 261, 262, 299, 280, 280, 264, 271, 272, 273, 274}
	for name, m := range map[string]*Model{
		"gpt2":      continued(t, "gpt2", nil),
		"post-norm": continued(t, "gpt2", func(c *Config) { c.Norm = PostNorm }),
		"waves":     continued(t, "gpt2", func(c *Config) { c.Positions = Sinusoidal }),
		"linear":    continued(t, "gpt2.linear", nil),
	} {
		c, err := NewContinuer(m)
		if err != nil {
			t.Fatal(err)
		}
		if cached := name != "linear"; cached != (c.cache != nil) {
			t.Errorf("%s: a cache: %v", name, !cached)
		}
		p := nn.NewPass(ad.NewFrozen())
		read := func(n int) { // read until there are n tokens
			p.Reset()
			got := c.Read(p, text[c.Len():n]...).Value.Clone()
			whole := nn.NewPass(ad.NewFrozen())
			want := m.Words(whole, m.Run(whole, Input{IDs: text[:n], Count: 1}), []int{n - 1}).Value
			for i, v := range want.Data {
				if math.Abs(float64(v-got.Data[i])) > 1e-5 {
					t.Fatalf("%s: score %d behind token %d is %g, of the whole text %g", name, i, n, got.Data[i], v)
				}
			}
		}
		read(4)
		for _, n := range []int{5, 6, 9, 10, 15} {
			read(n)
		}
		c.Keep(3)
		read(4)
		read(8)
	}
}

// TestOnlyNextWordsContinue: a model of masked words cannot continue a text.
func TestOnlyNextWordsContinue(t *testing.T) {
	if _, err := NewContinuer(continued(t, "bert", nil)); err == nil {
		t.Error("BERT continues")
	}
}

// BenchmarkContinue measures one word after a text of 200 tokens, at the bundled size of GPT-2,
// without sorting the words by score.
func BenchmarkContinue(b *testing.B) {
	m := continued(b, "gpt2", func(c *Config) { c.Length, c.Vocab = 256, 5632 })
	nn.Seal(m.Params)
	c, err := NewContinuer(m)
	if err != nil {
		b.Fatal(err)
	}
	p := nn.NewPass(ad.NewFrozen())
	c.Read(p, make([]int, 200)...)
	for b.Loop() {
		p.Reset()
		c.Read(p, 270)
		c.Keep(200)
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "words/s")
}
