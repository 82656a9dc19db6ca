package metrics

import (
	"math/bits"
	"math/rand/v2"

	"attnatlas/engine/tensor"
)

// directions are the output directions of one position that are pulled back. They are either all
// axes, whose squared gradients add up to the squared length, or some vectors of signs ±1. These
// are rows of a Hadamard matrix whose columns have random signs, each row at most once (Hutchinson
// 1990, without replacement). Means over them are unbiased estimates, and all rows together give
// the exact length.
type directions struct {
	count, width int
	rows         []int // of the Hadamard matrix; nil: the axes are used
}

// newDirections returns the requested number of directions of width d. It returns all of them for 0, for too large a
// number, and for a width without a Hadamard matrix.
func newDirections(count, d int) directions {
	if count < 2 || count >= d || bits.OnesCount(uint(d)) != 1 {
		return directions{count: d, width: d}
	}
	return directions{count: count, width: d, rows: rand.New(rand.NewPCG(directionSeed, 0)).Perm(d)[:count]}
}

// directionSeed is fixed, so that the same text always gets the same estimate.
const directionSeed = 0x1990

func (d directions) some() bool { return d.rows != nil }

// seed writes direction number at for position i.
func (d directions) seed(at, i int, to []tensor.Elem) {
	if !d.some() {
		to[at] = 1
		return
	}
	signs := rand.New(rand.NewPCG(directionSeed, uint64(i+1)))
	for f := range to {
		to[f] = 1
		if bits.OnesCount(uint(d.rows[at]&f))%2 == 1 != (signs.Uint64()&1 == 1) {
			to[f] = -1
		}
	}
}
