package components

import "fmt"

// Seam is the boundary of two texts: a line before this row and column, from 1; 0: none.
type Seam struct{ Row, Col int }

// box returns the view box of a seam over a map of this many cells.
func (Seam) box(rows, cols int) string { return fmt.Sprintf("0 0 %d %d", cols, rows) }

// path returns the line, or the two crossing lines.
func (s Seam) path(rows, cols int) string {
	d := ""
	if s.Row > 0 {
		d += fmt.Sprintf("M0 %dH%d", s.Row, cols)
	}
	if s.Col > 0 {
		d += fmt.Sprintf("M%d 0V%d", s.Col, rows)
	}
	return d
}
