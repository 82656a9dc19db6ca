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

// Change is what a model computes otherwise than it learned, for one request; the zero Change is nothing. Only
// models of single mechanisms can be changed.
type Change struct {
	// Shares are those of the parts of a mixture, in their order, by layer from 1: none is below 0, and they sum
	// to 1. A layer that is not there keeps what it learned.
	Shares map[int][]float64
	// Rank leaves of the matrix of scores that every layer and head learned, of as many positions as the text has, the
	// nearest matrix of this rank, from 1; 0 leaves it whole.
	Rank int
	// Spectra asks for the singular values of these matrices besides: Result.Spectra.
	Spectra bool
}

// asked says whether there is a change.
func (c Change) asked() bool { return len(c.Shares) > 0 || c.Rank != 0 }

// Key names a change; empty: there is none.
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

// wholeWithin is how far shares may be from adding up to 1, as people round them.
const wholeWithin = 0.006

// changeOf are the parameters that a model has otherwise for a request, of n tokens.
func changeOf(m *model, n int, r Request, res *Result) (map[*nn.Param]*tensor.T, error) {
	if r.Change.Spectra {
		res.Spectra = m.spectra(res, n)
	}
	if !r.Change.asked() {
		return nil, nil
	}
	if res.Stack != nil || r.Method.Long() { // whose passes run the learned model
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

// mixOtherwise gives a layer of a mixture other shares. Those that it has already change nothing, to the bit.
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
		if other.Data[i] = nn.Masked; share > 0 { // whose softmax is 0
			other.Data[i] = tensor.Elem(math.Log(share))
		}
	}
	if !same {
		instead[alphas] = other
	}
	return nil
}

// checkShares says what is wrong with the shares of so many parts.
func checkShares(shares []float64, parts int) error {
	if len(shares) != parts {
		return fault.Errorf(fault.Invalid, "change.parts", "shares", len(shares), "parts", parts)
	}
	sum := 0.0
	for _, share := range shares {
		if !(share >= 0 && share <= 1) { // nor is it no number
			return fault.Errorf(fault.Invalid, "change.share", "share", strconv.FormatFloat(share, 'g', 6, 64))
		}
		sum += share
	}
	if math.Abs(sum-1) > wholeWithin {
		return fault.Errorf(fault.Invalid, "change.sum", "sum", strconv.FormatFloat(sum, 'f', 3, 64))
	}
	return nil
}

// paramOf is the parameter of a name in the mixer of a layer, from 1; nil: there is none.
func (m *model) paramOf(layer int, name string) *nn.Param {
	path := fmt.Sprintf("layer %d/mixer/%s", layer, name)
	i := slices.IndexFunc(m.params(), func(p *nn.Param) bool { return p.Name == path })
	if i < 0 {
		return nil
	}
	return m.params()[i]
}
