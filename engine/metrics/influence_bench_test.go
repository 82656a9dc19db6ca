package metrics_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"attnatlas/engine/attention"
	"attnatlas/engine/metrics"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
)

// BenchmarkInfluence measures the influence in one layer of the bundled size.
func BenchmarkInfluence(b *testing.B) {
	for _, id := range []string{"dot-product", "random", "fastformer", "reformer", "shuffle-exchange",
		"residual-shuffle-exchange"} {
		e, _ := attention.Find(id)
		for _, n := range []int{16, 32, 55, 64} {
			b.Run(fmt.Sprintf("%s/%d", id, n), func(b *testing.B) {
				s := nn.NewScope(1)
				m, err := e.New(s, attention.Config{Width: 128, Heads: 4, Length: 64})
				if err != nil {
					b.Fatal(err)
				}
				x := tensor.New(1, n, 128)
				nn.Normal(1)(rand.New(rand.NewPCG(1, 2)), x)
				b.ReportAllocs()
				for b.Loop() {
					metrics.Influence(m, x, nn.Mask{})
				}
			})
		}
	}
}
