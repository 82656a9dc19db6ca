package engine

import (
	"cmp"
	"context"
	"slices"

	"attnatlas/engine/fault"
	"attnatlas/engine/metrics"
	"attnatlas/engine/trace"
)

// HeadProfile is what a head of a model does with a text, in numbers.
type HeadProfile struct {
	Place
	metrics.Profile
	// Dependence is how much the head depends on the words (metrics.Dependence), on ordinary sentences; Known says that it
	// was measured.
	Dependence float64
	Known      bool

	weights trace.Map
}

// Profiles are those of all heads of a result, by layers.
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

// HeadPair are two heads and how far their maps are apart (metrics.RowDistance).
type HeadPair struct {
	A, B     Place
	Distance float64
}

// PairHeads are the pairs of the heads of two models for one text, those that are most alike first. Of one model with
// itself, each pair of different heads is there once. The error is that of the context, which is looked at for every
// head of a.
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
