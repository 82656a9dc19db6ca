package metrics

import (
	"math"

	"attnatlas/engine/trace"
)

// Words marks the rows and columns of a map that are words of a text. Same means that row i and
// column i are the same word.
type Words struct {
	Rows, Cols []bool
	Same       bool
}

// Sharpness returns how distinctive the rows of one head are, from 0 to 1:
//
//	mean over words i of max(0, max over other words j of p_ij − c_ij)
//
// p_ij = |a_ij| ÷ Σ_j |a_ij| is the share of j in row i; for probabilities, it is a_ij itself. c_ij
// is the mean of p_kj over the words k other than i and j, so it measures how much the other words
// attend to j. Attention to the word itself and to special tokens does not count, and neither does
// attention that all rows share. A head that always attends to [CLS], to one full stop or to itself
// has 0. A head whose words all attend to the previous word has nearly 1.
//
// The map has two axes.
func Sharpness(m trace.Map, words Words) float64 {
	n, width := m.Value.Dim(0), m.Value.Dim(1)
	share := make([]float64, 0, n*width)
	sums, readers := make([]float64, width), make([]int, width) // over the rows of words
	apart := func(i, j int) bool { return words.Rows[i] && words.Cols[j] && (!words.Same || i != j) }
	eachRow(m, func(row []float64) {
		i, total := len(share)/width, 0.0
		for _, v := range row {
			total += math.Abs(v)
		}
		for j, v := range row {
			p := 0.0
			if total > 0 {
				p = math.Abs(v) / total
			}
			if share = append(share, p); apart(i, j) {
				sums[j] += p
				readers[j]++
			}
		}
	})
	mean, count := 0.0, 0
	for i := range n {
		if !words.Rows[i] {
			continue
		}
		count++
		most := 0.0
		for j := range width {
			if p := share[i*width+j]; apart(i, j) && readers[j] > 1 {
				most = max(most, p-(sums[j]-p)/float64(readers[j]-1))
			}
		}
		mean += most
	}
	return mean / float64(max(count, 1))
}
