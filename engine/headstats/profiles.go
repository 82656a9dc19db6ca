package headstats

import (
	"cmp"
	"context"
	"slices"

	"attnatlas/engine/attention"
	"attnatlas/engine/metrics"
	"attnatlas/engine/tokenizer"
	"attnatlas/engine/trace"
)

// Place is a head of a layer, both from 1; the zero Place is none.
type Place struct{ Layer, Head int }

// HeadProfile describes in numbers how a head of a model attends in a text.
type HeadProfile struct {
	Place
	metrics.Profile
	// Dependence is how much the head depends on the words (metrics.Dependence), on ordinary sentences. Known reports
	// whether it was measured.
	Dependence float64
	Known      bool

	weights trace.Map
}

// ProfilesOf returns the profiles of the heads of a layer, given its number, from 1, its maps, and how much each head
// depends on the words. The tokens are a guest’s.
func ProfilesOf(entry *attention.Entry, number int, layer []trace.Map, dependence []float64,
	tokens []tokenizer.Token) (all []HeadProfile) {
	for h, m := range mapsOf(entry, layer) {
		if m.Value.Dim(0) != m.Value.Dim(1) {
			continue
		}
		special := ordinary(m, 1, tokens)
		for j := range special {
			special[j] = !special[j]
		}
		p := HeadProfile{Place: Place{number, h + 1}, Profile: metrics.ProfileOf(m, special), weights: m}
		if p.Known = h < len(dependence); p.Known {
			p.Dependence = dependence[h]
		}
		all = append(all, p)
	}
	return all
}

// HeadPair is a pair of heads with the distance between their maps (metrics.RowDistance).
type HeadPair struct {
	A, B     Place
	Distance float64
}

// PairHeads returns the pairs of heads of two models for one text, the most similar first. The error is the context's,
// which is checked for every head of a.
func PairHeads(ctx context.Context, a, b []HeadProfile) ([]HeadPair, error) {
	return pairHeads(ctx, a, b, func(i int) int { return 0 })
}

// PairHeadsOf returns the pairs of different heads of one model, as PairHeads does. Each pair occurs once.
func PairHeadsOf(ctx context.Context, all []HeadProfile) ([]HeadPair, error) {
	return pairHeads(ctx, all, all, func(i int) int { return i + 1 })
}

// pairHeads compares head i of a with the heads of b from first(i) on.
func pairHeads(ctx context.Context, a, b []HeadProfile, first func(i int) int) (all []HeadPair, err error) {
	rows := make([]metrics.Rows, len(b))
	for k, y := range b {
		rows[k] = metrics.RowsOf(y.weights)
	}
	for i, x := range a {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		own := metrics.RowsOf(x.weights)
		for k := first(i); k < len(b); k++ {
			all = append(all, HeadPair{x.Place, b[k].Place, own.Distance(rows[k])})
		}
	}
	slices.SortStableFunc(all, func(x, y HeadPair) int { return cmp.Compare(x.Distance, y.Distance) })
	return all, nil
}
