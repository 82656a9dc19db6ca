package explain_test

import (
	"context"
	"testing"

	"attnatlas/engine"
	"attnatlas/engine/explain"
)

// BenchmarkExplain traces a number of the main map for a sentence of 19 tokens.
func BenchmarkExplain(b *testing.B) {
	e := engine.New()
	for _, id := range []string{"dot-product", "dense", "fastformer", "longformer", "mixture-rdv"} {
		b.Run(id, func(b *testing.B) {
			entry, _, _ := engine.Find(id)
			q := explain.Question{Request: engine.Request{Text: "The cat sat on the mat because it was tired, and the dog saw it.", Mechanisms: []string{id}}, Layer: 2, Map: entry.Views[0].Map, At: []int{0, 2, 2}}
			for b.Loop() {
				if _, err := explain.New(e).Explain(context.Background(), q); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
