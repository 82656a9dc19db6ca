package attention_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"attnatlas/engine/ad"
	"attnatlas/engine/attention"
	"attnatlas/engine/nn"
)

// BenchmarkMix measures one forward pass of each mixer, unrecorded and with packed weights, as on
// the server.
func BenchmarkMix(b *testing.B) {
	for _, e := range attention.Catalog {
		for _, n := range []int{16, 64, 128, 256, 512, 1024} {
			b.Run(fmt.Sprintf("%s/%d", e.ID, n), func(b *testing.B) {
				s := nn.NewScope(1)
				m, err := e.New(s, attention.Config{Width: 128, Heads: 4, Length: n})
				if err != nil {
					b.Fatal(err)
				}
				nn.Seal(s.Params())
				x := noise(rand.New(rand.NewPCG(1, 2)), 1, n, 128)
				p := nn.NewPass(ad.NewFrozen())
				b.ReportAllocs()
				for b.Loop() {
					p.Reset()
					m.Mix(p, p.Tape.Const(x))
				}
			})
		}
	}
}
