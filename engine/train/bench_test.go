package train

import (
	"testing"

	"attnatlas/engine/encoder"
	"attnatlas/engine/tokenizer"
)

// benchCorpus returns running text of random words; only its shape matters here.
func benchCorpus() *Corpus {
	s := stream{source: source{share: 1, next: 1}, index: &rowIndex{}}
	for i := range 100_000 {
		s.ids = append(s.ids, tokenizer.FirstLearned+i*7919%5000)
		if i%12 == 0 {
			s.starts = append(s.starts, i)
		}
		if i%120 == 0 {
			s.texts = append(s.texts, i)
		}
	}
	return &Corpus{Vocab: tokenizer.Default(), streams: []stream{s}, tasks: make([]labelled, 2)}
}

// BenchmarkStep measures one training step of a bundled model with 2,048 positions.
func BenchmarkStep(b *testing.B) {
	for _, id := range []string{"dot-product", "random", "dense", "fastformer", "shuffle-exchange",
		"residual-shuffle-exchange"} {
		b.Run(id, func(b *testing.B) {
			c := benchCorpus()
			r, err := New(Options{Model: encoder.Shipped(id, c.Vocab.Size()), Seed: 1, Steps: 1 << 30, Method: DefaultMethod()})
			if err != nil {
				b.Fatal(err)
			}
			for i := range 20 { // covers every length, so that the arenas have grown
				r.step(c.Batch(1, i, anyPhase).objective(r.Model))
			}
			b.ReportAllocs()
			b.ResetTimer()
			tokens := 0
			for i := range b.N {
				batch := c.Batch(1, i, anyPhase)
				tokens += batch.Tokens()
				r.step(batch.objective(r.Model))
			}
			b.ReportMetric(float64(tokens)/b.Elapsed().Seconds(), "tokens/s")
		})
	}
}
