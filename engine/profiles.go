package engine

import (
	"cmp"
	"context"
	"slices"

	"attnatlas/engine/fault"
	"attnatlas/engine/metrics"
	"attnatlas/engine/trace"
)

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

// Profiles returns the profiles of all heads of a result, layer by layer.
func Profiles(res *Result) (all []HeadProfile, err error) {
	if res.Err != nil {
		return nil, res.Err
	}
	for _, layer := range res.Layers {
		for h, m := range HeadMaps(res.Entry, layer) {
			if m.Value.Dim(0) != m.Value.Dim(1) {
				continue
			}
			special := ordinary(m, 1, res.Tokens)
			for j := range special {
				special[j] = !special[j]
			}
			p := HeadProfile{Place: Place{layer.Number, h + 1}, Profile: metrics.ProfileOf(m, special), weights: m}
			if p.Known = h < len(layer.Dependence); p.Known {
				p.Dependence = layer.Dependence[h]
			}
			all = append(all, p)
		}
	}
	if len(all) == 0 {
		return nil, fault.Errorf(fault.Unsupported, "headtable.none", "name", res.Name())
	}
	return all, nil
}

// HeadPair is a pair of heads with the distance between their maps (metrics.RowDistance).
type HeadPair struct {
	A, B     Place
	Distance float64
}

// PairHeads returns the pairs of heads of two models for one text, the most similar first. If both are the same
// model, each pair of different heads occurs once. The error is the context's, which is checked for every head of a.
func PairHeads(ctx context.Context, a, b []HeadProfile, same bool) (all []HeadPair, err error) {
	rows := make([]metrics.Rows, len(b))
	for k, y := range b {
		rows[k] = metrics.RowsOf(y.weights)
	}
	for i, x := range a {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		own := metrics.RowsOf(x.weights)
		for k, y := range b {
			if !same || i < k {
				all = append(all, HeadPair{x.Place, y.Place, own.Distance(rows[k])})
			}
		}
	}
	slices.SortStableFunc(all, func(x, y HeadPair) int { return cmp.Compare(x.Distance, y.Distance) })
	return all, nil
}
