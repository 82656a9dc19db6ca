// Package altered replaces learned parameters of a model for one request.
package altered

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"attnatlas/engine/attention"
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
	// Spectra also requests the singular values of these matrices, see engine.Result.Spectra.
	Spectra bool
}

// Asked reports whether any parameter is altered.
func (c Change) Asked() bool { return len(c.Shares) > 0 || c.Rank != 0 }

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

// Parameters are the learned parameters of a model.
type Parameters struct {
	Entry  *attention.Entry
	Stack  bool // the model is that of an architecture
	Layers int
	All    []*nn.Param
	Tables *Tables
}

// Of returns the parameters to use instead of the learned ones for n tokens.
func (c Change) Of(m Parameters, n int) (map[*nn.Param]*tensor.T, error) {
	instead := map[*nn.Param]*tensor.T{}
	for _, layer := range slices.Sorted(maps.Keys(c.Shares)) {
		if err := m.mix(layer, c.Shares[layer], instead); err != nil {
			return nil, err
		}
	}
	if c.Rank != 0 {
		return instead, m.lower(n, c.Rank, instead)
	}
	return instead, nil
}

// mix sets the mixing weights of a layer. Weights equal to the learned ones change nothing, bit for bit.
func (m Parameters) mix(layer int, shares []float64, instead map[*nn.Param]*tensor.T) error {
	parts := m.Entry.Parts
	if parts == nil {
		return fault.Errorf(fault.Unsupported, "change.no-mixture", "name", m.Entry.Name)
	}
	if layer < 1 || layer > m.Layers {
		return fault.Errorf(fault.NotFound, "explain.no-layer", "layer", layer, "layers", m.Layers)
	}
	alphas := m.paramOf(layer, "alphas")
	if alphas == nil {
		return fault.Errorf(fault.Unsupported, "change.no-shares", "name", m.Entry.Name)
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
func (m Parameters) paramOf(layer int, name string) *nn.Param {
	path := fmt.Sprintf("layer %d/mixer/%s", layer, name)
	i := slices.IndexFunc(m.All, func(p *nn.Param) bool { return p.Name == path })
	if i < 0 {
		return nil
	}
	return m.All[i]
}
