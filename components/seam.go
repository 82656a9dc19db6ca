package components

import "fmt"

// Seam says where the second of two texts begins: in front of which row and column, from
// 1, a line is drawn; 0: none.
type Seam struct{ Row, Col int }

// box is the view box of a seam over a map of so many cells.
func (Seam) box(rows, cols int) string { return fmt.Sprintf("0 0 %d %d", cols, rows) }

// path is the line, or the two lines that cross.
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
