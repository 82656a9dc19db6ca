package metrics

import (
	"math/bits"
	"math/rand/v2"

	"attnatlas/engine/tensor"
)

// directions are those in which the outputs of one position are followed back. All of them are the
// axes, whose squared gradients add up to the squared length. Some of them are signs ±1 drawn so
// that every mean over them is right on average: the rows of a Hadamard matrix with random signs of its
// columns, each at most once (Hutchinson 1990, without replacement), which all together give
// the length exactly.
type directions struct {
	count, width int
	rows         []int // of the Hadamard matrix; nil: axes
}

// newDirections are as many of width d as asked for, all of them for 0, and where too many were asked for
// or there are no signs for that width.
func newDirections(count, d int) directions {
	if count < 2 || count >= d || bits.OnesCount(uint(d)) != 1 {
		return directions{count: d, width: d}
	}
	return directions{count: count, width: d, rows: rand.New(rand.NewPCG(directionSeed, 0)).Perm(d)[:count]}
}

// directionSeed makes the same text give the same estimate.
const directionSeed = 0x1990

func (d directions) some() bool { return d.rows != nil }

// seed writes direction number at of position i.
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
