package predict

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"attnatlas/engine/tensor"
)

// sampling says how a token is drawn from its scores.
type sampling struct {
	Temperature float64 // divides the scores; 0: the token with the highest score
	TopK        int     // number of tokens that can be drawn, those with the highest scores; 0: all
	Seed        uint64
}

// sample returns the id that is drawn for a position from scores [V]. The result depends only on the arguments.
func sample(scores []tensor.Elem, s sampling, position int) int {
	count := len(scores)
	if s.TopK > 0 {
		count = min(count, s.TopK)
	}
	if s.Temperature == 0 {
		count = 1
	}
	if count < len(scores)/16 { // sorting all is quicker for many
		return s.draw(scores, Likeliest(scores, count), position)
	}
	return s.draw(scores, byScore(scores)[:count], position)
}

// byScore returns all ids by falling scores.
func byScore(scores []tensor.Elem) []int {
	ids := make([]int, len(scores))
	for i := range ids {
		ids[i] = i
	}
	slices.SortStableFunc(ids, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
	return ids
}

// draw draws one of some ids, the first of which has the highest score.
func (s sampling) draw(scores []tensor.Elem, ids []int, position int) int {
	if len(ids) == 1 {
		return ids[0]
	}
	sum, chances := 0.0, make([]float64, len(ids))
	for i, id := range ids {
		chances[i] = math.Exp(float64(scores[id]-scores[ids[0]]) / s.Temperature)
		sum += chances[i]
	}
	x := sum * rand.New(rand.NewPCG(s.Seed, uint64(position))).Float64()
	for i, chance := range chances {
		if x -= chance; x < 0 {
			return ids[i]
		}
	}
	return ids[0]
}
