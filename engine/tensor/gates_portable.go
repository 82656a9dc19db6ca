//go:build !amd64 || purego || f64

package tensor

func (isa) sigmoidRows(dst, x, row []Elem) { sigmoidRowsPortable(dst, x, row) }

func (isa) tanhRows(dst, x, row []Elem) { tanhRowsPortable(dst, x, row) }

func (isa) gate(dst, g, a, b []Elem) { gatePortable(dst, g, a, b) }

func (isa) gateBackward(dg, da, db, dy, g, a, b []Elem) {
	gateBackwardPortable(dg, da, db, dy, g, a, b)
}

func (isa) resetBackward(dr, dx, dq, r, x []Elem) { resetBackwardPortable(dr, dx, dq, r, x) }

func (isa) quickGELU(dst, x []Elem) { quickGELUPortable(dst, x) }

func (isa) quickGELUBackward(dx, y, x, dy []Elem) { quickGELUBackwardPortable(dx, y, x, dy) }

func (isa) combineRows(dst, x, p, y, q, row []Elem) { combineRowsPortable(dst, x, p, y, q, row) }
