package bench

import (
	"attnatlas/engine/costs"
	"attnatlas/engine/tensor"
)

const peakName = "peak/fma"

// products returns the tasks of package tensor.
func products(s Sizes) []*task {
	var list []*task
	const turns = 20_000
	if work := tensor.PeakFMA(turns); work > 0 {
		list = append(list, &task{name: peakName, unit: GFLOPs, work: work, threads: 1, open: func() (operation, error) {
			return func() error { tensor.PeakFMA(turns); return nil }, nil
		}})
	}
	for _, p := range s.Products {
		work := 2 * float64(p.M) * float64(p.K) * float64(p.N) * float64(p.Count)
		list = append(list, &task{name: "gemm/" + p.String(), unit: GFLOPs, work: work, threads: 1, product: true,
			open: p.open})
	}
	return list
}

func (p Product) open() (operation, error) {
	a, b, c := p.matrices(p.M, p.K), p.matrices(p.K, p.N), p.matrices(p.M, p.N)
	if p.Packed {
		packed := tensor.Pack(b.First)
		return func() error { tensor.GemmPacked(c.First, a.First, packed, 1, tensor.Overwrite); return nil }, nil
	}
	if p.Count > 1 {
		return func() error { tensor.GemmBatch(c, a, b, 1, tensor.Overwrite); return nil }, nil
	}
	return func() error { tensor.Gemm(c.First, a.First, b.First, 1, tensor.Overwrite); return nil }, nil
}

// matrices returns Count random matrices, one after another.
func (p Product) matrices(rows, cols int) tensor.Batch {
	t := costs.Noise(p.Count, rows, cols)
	return tensor.Batch{First: tensor.NewMatrix(t.Data, rows, cols), Step: rows * cols, Count: p.Count}
}
