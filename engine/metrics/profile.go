package metrics

import (
	"math"

	"attnatlas/engine/trace"
)

// Profile holds the numbers by which pages compare heads. Each is a mean over the rows of shares.
// If the map holds probabilities, the shares are the weights themselves.
type Profile struct {
	Entropy  float64 // bits: 0 if each row attends to one position, log₂ n if it attends to all n equally
	Distance float64 // Σ_j p_ij·|i−j|, in positions
	Sinks    float64 // share of the columns of special tokens
	Previous float64 // share of the position before the row's, over the rows that have one
	Next     float64 // share of the position after the row's, over the rows that have one
	Self     float64 // share of the row's own position
	First    float64 // share of the first position
	// Sparsity is the measure of Hoyer (2004): (√n − ‖p‖₁ ÷ ‖p‖₂) ÷ (√n − 1). It is 0 if a row
	// attends to all positions equally, and 1 if it attends to one.
	Sparsity float64
}

// ProfileOf measures the map of one head over the positions of one text; special marks the columns
// of special tokens.
func ProfileOf(m trace.Map, special []bool) (p Profile) {
	n := m.Value.Dim(0)
	for i := range n {
		row := shares(m.Value.Sub(i).Data)
		sum, squares := 0.0, 0.0
		for j, v := range row {
			if v > 0 {
				p.Entropy -= v * math.Log2(v)
			}
			p.Distance += v * math.Abs(float64(i-j))
			if special[j] {
				p.Sinks += v
			}
			sum, squares = sum+v, squares+v*v
		}
		p.Previous += at(row, i-1)
		p.Next += at(row, i+1)
		p.Self += at(row, i)
		p.First += at(row, 0)
		if root := math.Sqrt(float64(len(row))); squares > 0 && root > 1 {
			p.Sparsity += (root - sum/math.Sqrt(squares)) / (root - 1)
		}
	}
	all, pairs := float64(max(n, 1)), float64(max(n-1, 1))
	return Profile{p.Entropy / all, p.Distance / all, p.Sinks / all, p.Previous / pairs, p.Next / pairs, p.Self / all,
		p.First / all, p.Sparsity / all}
}
