package metrics

import (
	"attnatlas/engine/tensor"
	"attnatlas/engine/trace"
)

// Rollout returns attention rollout, the product of the layers' weights (Abnar and Zuidema 2020,
// arXiv:2005.00928, sec. 3). The residual connection counts as one half of each position, and the
// weights, averaged over the heads, as the other half:
//
//	Ã_l = rows of (0.5·W_l + 0.5·I), normalised       R_l = Ã_l · R_{l−1},  R_0 = I
//
// The weights of each layer are [H,N,N] or [N,N], with rows that sum to 1. Result l [N,N] estimates
// from the weights alone how much of position i after layer l comes from input j. Its rows sum to
// 1. If no layer attends to later positions, the result does not either.
func Rollout(layers []trace.Map) []*tensor.T {
	steps := make([]*tensor.T, len(layers))
	for l, weights := range layers {
		steps[l] = withResidual(weights.HeadMean().Value) // [N,N]
	}
	return Through(steps)
}

// Through returns the products M_l·…·M_0 of the maps [N,N] of layers, for every layer l: the contribution of each
// input. The maps must include the residual connection, or ignore it.
func Through(steps []*tensor.T) []*tensor.T {
	all := make([]*tensor.T, len(steps))
	for l, step := range steps {
		if all[l] = step; l > 0 {
			n := step.Dim(0)
			all[l] = tensor.New(n, n)
			tensor.Gemm(tensor.NewMatrix(all[l].Data, n, n), tensor.NewMatrix(step.Data, n, n),
				tensor.NewMatrix(all[l-1].Data, n, n), 1, tensor.Overwrite)
		}
	}
	return all
}

// withResidual returns Ã for the weights [N,N].
func withResidual(w *tensor.T) *tensor.T {
	n := w.Dim(0)
	out := tensor.New(n, n)
	for i := range n {
		row, sum := out.Data[i*n:][:n], 0.5
		for j, v := range w.Data[i*n:][:n] {
			row[j] = v / 2
			sum += float64(v) / 2
		}
		row[i] += 0.5
		for j := range row {
			row[j] = tensor.Elem(float64(row[j]) / sum)
		}
	}
	return out
}
