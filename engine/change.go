package engine

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"attnatlas/engine/fault"
	"attnatlas/engine/nn"
	"attnatlas/engine/predict"
	"attnatlas/engine/tensor"
)

// Change alters a model's learned parameters for one request; the zero Change alters nothing. Only models of single
// mechanisms can be changed.
type Change struct {
	// Shares holds the mixing weights of a mixture's components, in their order, by layer from 1. None is below 0, and
	// they sum to 1. Layers without an entry keep their learned weights.
	Shares map[int][]float64
	// Rank replaces the learned score matrix of every layer and head, cut to the length of the text, by the nearest
	// matrix of this rank, from 1. 0 keeps the matrix.
	Rank int
	// Spectra also requests the singular values of these matrices: Result.Spectra.
	Spectra bool
}

// asked reports whether any parameter is altered.
func (c Change) asked() bool { return len(c.Shares) > 0 || c.Rank != 0 }

// Key returns a name of the change that is unique; empty: there is none.
func (c Change) Key() string {
	var b strings.Builder
	for _, layer := range slices.Sorted(maps.Keys(c.Shares)) {
		b.WriteString(strconv.Itoa(layer))
		for _, share := range c.Shares[layer] {
			b.WriteString(" " + strconv.FormatFloat(share, 'g', -1, 64))
		}
		b.WriteString(";")
	}
	if c.Rank != 0 {
		b.WriteString("rank " + strconv.Itoa(c.Rank))
	}
	if c.Spectra {
		b.WriteString(" spectra")
	}
	return b.String()
}

// wholeWithin is how far the sum of mixing weights may differ from 1, because people round them.
const wholeWithin = 0.006

// changeOf returns the parameters to use instead of the learned ones for a request with n tokens.
func changeOf(m *model, n int, r Request, res *Result) (map[*nn.Param]*tensor.T, error) {
	if r.Change.Spectra {
		res.Spectra = m.spectra(res, n)
	}
	if !r.Change.asked() {
		return nil, nil
	}
	if res.Stack != nil || r.Method.Long() { // passes of Method.Long use the learned model
		return nil, fault.Errorf(fault.Unsupported, "change.alone", "name", res.Entry.Name)
	}
	instead := map[*nn.Param]*tensor.T{}
	for _, layer := range slices.Sorted(maps.Keys(r.Change.Shares)) {
		if err := mixOtherwise(m, res, layer, r.Change.Shares[layer], instead); err != nil {
			return nil, err
		}
	}
	if r.Change.Rank != 0 {
		return instead, rankOtherwise(m, res, n, r.Change.Rank, instead)
	}
	return instead, nil
}

// mixOtherwise sets the mixing weights of a layer. Weights equal to the learned ones change nothing, bit for bit.
func mixOtherwise(m *model, res *Result, layer int, shares []float64, instead map[*nn.Param]*tensor.T) error {
	parts := res.Entry.Parts
	if parts == nil {
		return fault.Errorf(fault.Unsupported, "change.no-mixture", "name", res.Entry.Name)
	}
	if layer < 1 || layer > m.config().Layers {
		return fault.Errorf(fault.NotFound, "explain.no-layer", "layer", layer, "layers", m.config().Layers)
	}
	alphas := m.paramOf(layer, "alphas")
	if alphas == nil {
		return fault.Errorf(fault.Unsupported, "change.no-shares", "name", res.Entry.Name)
	}
	if err := checkShares(shares, len(parts)); err != nil {
		return err
	}
	learned, same := predict.Probabilities(alphas.Value), true
	other := tensor.New(len(parts))
	for i, share := range shares {
		same = same && tensor.Elem(share) == learned[i]
		if other.Data[i] = nn.Masked; share > 0 { // softmax(Masked) is 0
			other.Data[i] = tensor.Elem(math.Log(share))
		}
	}
	if !same {
		instead[alphas] = other
	}
	return nil
}

// checkShares returns an error unless the mixing weights are valid for this number of components.
func checkShares(shares []float64, parts int) error {
	if len(shares) != parts {
		return fault.Errorf(fault.Invalid, "change.parts", "shares", len(shares), "parts", parts)
	}
	sum := 0.0
	for _, share := range shares {
		if !(share >= 0 && share <= 1) { // or NaN
			return fault.Errorf(fault.Invalid, "change.share", "share", strconv.FormatFloat(share, 'g', 6, 64))
		}
		sum += share
	}
	if math.Abs(sum-1) > wholeWithin {
		return fault.Errorf(fault.Invalid, "change.sum", "sum", strconv.FormatFloat(sum, 'f', 3, 64))
	}
	return nil
}

// paramOf returns the named parameter of the mixer in a layer, from 1, or nil if there is none.
func (m *model) paramOf(layer int, name string) *nn.Param {
	path := fmt.Sprintf("layer %d/mixer/%s", layer, name)
	i := slices.IndexFunc(m.params(), func(p *nn.Param) bool { return p.Name == path })
	if i < 0 {
		return nil
	}
	return m.params()[i]
}
