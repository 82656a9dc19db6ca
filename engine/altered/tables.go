package altered

import (
	"sync"

	"attnatlas/engine/fault"
	"attnatlas/engine/nn"
	"attnatlas/engine/svd"
	"attnatlas/engine/tensor"
)

// Tables caches the last decomposition of a model, because a visitor who moves a slider requests it repeatedly.
type Tables struct {
	mu     sync.Mutex
	n      int
	layers [][]svd.Decomposition
}

// table returns the parameters of which a layer's scores consist; nil: the scores depend on the text.
func (m Parameters) table(layer int) (params []*nn.Param, values []*tensor.T) {
	if m.Stack {
		return nil, nil
	}
	for _, name := range m.Entry.Table {
		p := m.paramOf(layer, name)
		if p == nil {
			return nil, nil
		}
		params, values = append(params, p), append(values, p.Value)
	}
	return params, values
}

// decomposed returns the decompositions of the scores of n positions by layer and head; nil: they depend on the text.
func (m Parameters) decomposed(n int) [][]svd.Decomposition {
	m.Tables.mu.Lock()
	defer m.Tables.mu.Unlock()
	if m.Tables.n == n {
		return m.Tables.layers
	}
	var all [][]svd.Decomposition
	for layer := 1; layer <= m.Layers; layer++ {
		_, values := m.table(layer)
		if values == nil {
			return nil
		}
		all = append(all, svd.DecomposeTable(values, n))
	}
	m.Tables.n, m.Tables.layers = n, all
	return all
}

// Spectra returns the singular values of the scores of n positions by layer and head; nil: they depend on
// the text.
func (m Parameters) Spectra(n int) (all [][][]float64) {
	for _, heads := range m.decomposed(n) {
		var layer [][]float64
		for _, d := range heads {
			layer = append(layer, d.Values)
		}
		all = append(all, layer)
	}
	return all
}

// lower replaces the scores of n positions, in every layer and head, by their approximation of a rank.
func (m Parameters) lower(n, rank int, instead map[*nn.Param]*tensor.T) error {
	all := m.decomposed(n)
	if all == nil {
		return fault.Errorf(fault.Unsupported, "change.no-table", "name", m.Entry.Name)
	}
	if most := len(all[0][0].Values); rank < 1 || rank > most {
		return fault.Errorf(fault.Invalid, "change.rank", "rank", rank, "positions", n, "most", most)
	}
	for i, heads := range all {
		params, _ := m.table(i + 1)
		for k, value := range svd.OfRank(heads, rank, len(params)) {
			instead[params[k]] = value
		}
	}
	return nil
}
