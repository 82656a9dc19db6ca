package unroll

import (
	"cmp"
	"context"
	"slices"

	"attnatlas/engine"
	"attnatlas/engine/attention"
	"attnatlas/engine/tensor"
)

// recallDraws is the number of other draws over which the recall is averaged.
const recallDraws = 16

// look finds, for every word, the words that it attends to most without hashing, and the share of them that
// hashing finds.
func (h *Hashing) look(ctx context.Context, of *attention.Hashing, r HashingRequest) error {
	n := len(h.Full)
	found := of.Finds(attention.Draw{Rounds: r.Rounds, Seed: uint64(r.Seed)})[(r.Head-1)*n*n:][:n*n]
	for i, row := range h.Full {
		words := []HashedWord{}
		for _, k := range mostOf(row, i, r.Top) {
			words = append(words, HashedWord{k, row[k], found[i*n+k]})
		}
		h.Words = append(h.Words, words)
	}
	for rounds := 1; rounds <= MostRounds; rounds++ {
		if err := ctx.Err(); err != nil {
			return engine.Stopped(err)
		}
		recall := func(seed int) float64 {
			return h.recall(of.Finds(attention.Draw{Rounds: rounds, Seed: uint64(seed)})[(r.Head-1)*n*n:][:n*n])
		}
		point := HashRecall{Rounds: rounds, Recall: recall(r.Seed), Least: 1}
		for seed := 1; seed <= recallDraws; seed++ {
			one := recall(seed)
			point.Mean += one / recallDraws
			point.Least, point.Most = min(point.Least, one), max(point.Most, one)
		}
		h.Recall = append(h.Recall, point)
	}
	return nil
}

// recall returns the share of the most attended words that were found [N·N]: the mean over all words that attend
// to other words.
func (h *Hashing) recall(found []bool) float64 {
	sum, words := 0.0, 0
	for i, list := range h.Words {
		hits := 0
		for _, w := range list {
			if found[i*len(h.Words)+w.Word] {
				hits++
			}
		}
		if len(list) > 0 {
			sum, words = sum+float64(hits)/float64(len(list)), words+1
		}
	}
	if words == 0 {
		return 1 // there was nothing to find
	}
	return sum / float64(words)
}

// mostOf returns the k positions with the largest values of a row, without the row's own position and without
// zeros. Of equal values, the first comes first.
func mostOf(row []tensor.Elem, own, k int) []int {
	var list []int
	for j, v := range row {
		if j != own && v > 0 {
			list = append(list, j)
		}
	}
	slices.SortStableFunc(list, func(a, b int) int { return cmp.Compare(row[b], row[a]) })
	return list[:min(k, len(list))]
}
