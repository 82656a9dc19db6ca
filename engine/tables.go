package engine

import (
	"sync"

	"attnatlas/engine/fault"
	"attnatlas/engine/nn"
	"attnatlas/engine/svd"
	"attnatlas/engine/tensor"
)

// tables caches the last decomposition of a model, because a visitor who moves a slider requests it repeatedly.
type tables struct {
	mu     sync.Mutex
	n      int
	layers [][]svd.Decomposition
}

// table returns the parameters of which a layer's scores consist; nil: the scores depend on the text.
func (m *model) table(res *Result, layer int) (params []*nn.Param, values []*tensor.T) {
	if res.Stack != nil {
		return nil, nil
	}
	for _, name := range res.Entry.Table {
		p := m.paramOf(layer, name)
		if p == nil {
			return nil, nil
		}
		params, values = append(params, p), append(values, p.Value)
	}
	return params, values
}

// decomposed returns the decompositions of the scores of n positions by layer and head; nil: they depend on the text.
func (m *model) decomposed(res *Result, n int) [][]svd.Decomposition {
	m.tables.mu.Lock()
	defer m.tables.mu.Unlock()
	if m.tables.n == n {
		return m.tables.layers
	}
	var all [][]svd.Decomposition
	for layer := 1; layer <= m.config().Layers; layer++ {
		_, values := m.table(res, layer)
		if values == nil {
			return nil
		}
		all = append(all, svd.DecomposeTable(values, n))
	}
	m.tables.n, m.tables.layers = n, all
	return all
}

// spectra returns the singular values of the scores of n positions by layer and head.
func (m *model) spectra(res *Result, n int) (all [][][]float64) {
	for _, heads := range m.decomposed(res, n) {
		var layer [][]float64
		for _, d := range heads {
			layer = append(layer, d.Values)
		}
		all = append(all, layer)
	}
	return all
}

// rankOtherwise replaces the scores of n positions, in every layer and head, by their approximation of a rank.
func rankOtherwise(m *model, res *Result, n, rank int, instead map[*nn.Param]*tensor.T) error {
	all := m.decomposed(res, n)
	if all == nil {
		return fault.Errorf(fault.Unsupported, "change.no-table", "name", res.Entry.Name)
	}
	if most := len(all[0][0].Values); rank < 1 || rank > most {
		return fault.Errorf(fault.Invalid, "change.rank", "rank", rank, "positions", n, "most", most)
	}
	for i, heads := range all {
		params, _ := m.table(res, i+1)
		for k, value := range svd.OfRank(heads, rank, len(params)) {
			instead[params[k]] = value
		}
	}
	return nil
}

// tableWork estimates the operations for decomposing the scores of n positions: some sweeps of rotations over all
// pairs of columns.
func tableWork(info *ModelInfo, n int) float64 {
	const perNumber = 60
	return float64(info.Layers) * float64(info.Heads) * perNumber * float64(n) * float64(n) * float64(n)
}
