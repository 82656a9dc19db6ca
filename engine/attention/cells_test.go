package attention

import (
	"math/rand/v2"
	"testing"

	"attnatlas/engine/nn"
)

// TestCountedCells: for any options and lengths, the pairs that are counted without a pattern equal
// the pairs of the pattern.
func TestCountedCells(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		n := 1 + r.IntN(70)
		long := longformerConfig{Config{Heads: 2}, 2 * (1 + r.IntN(20)), []int{r.IntN(n), n + 3, r.IntN(n)}}
		if got, _ := long.cells(n); got != readCells(long.pattern(nn.Mask{}, 0, n))+long.globals(n)*n {
			t.Fatalf("longformer %+v at %d words: %d cells are counted, %d read", long, n, got,
				readCells(long.pattern(nn.Mask{}, 0, n)))
		}
		stride := 1 + r.IntN(6)
		pool := poolingConfig{near: r.IntN(20), far: r.IntN(40), stride: stride, kernel: stride + r.IntN(8)}
		read := readCells(pool.window(nn.Mask{}, 0, n)) + readCells(pool.wideWindow(nil, 0, n, pool.slots(n)))
		if got := pool.cells(n); got != read && 2*pool.far >= pool.kernel {
			t.Fatalf("poolingformer %+v at %d words: %d cells are counted, %d read", pool, n, got, read)
		}
		big := bigBirdConfig{Config: Config{Heads: 2}, block: 1 + r.IntN(4), random: 1 + r.IntN(3), seed: r.IntN(9)}
		read = 0
		for _, drawn := range big.draw(n) {
			read += readCells(big.pattern(nn.Mask{}, 0, n, drawn))
		}
		if got := big.cells(n); got != read {
			t.Fatalf("bigbird %+v at %d words: %d cells are counted, %d read", big, n, got, read)
		}
	}
}
