package web

import (
	"slices"

	"attnatlas/engine"
	"attnatlas/engine/figure"
)

// seam is the first token of the second text of a pair; 0: there is one text.
func seam(r *engine.Report) int { return max(slices.Index(r.Segments, 1), 0) }

// seams are the row and the column in front of which a line parts the two texts of a
// pair, where rows and columns are the tokens.
func seams(r *engine.Report, spec figure.Spec) (row, col int) {
	if spec.RowLabels != nil {
		row = seam(r)
	}
	if spec.ColLabels != nil {
		col = seam(r)
	}
	return row, col
}
