//go:build !amd64 || purego || f64

package tensor

func (isa) sigmoidRows(dst, x, row []Elem) { sigmoidRowsPortable(dst, x, row) }

func (isa) tanhRows(dst, x, row []Elem) { tanhRowsPortable(dst, x, row) }

func (isa) gate(dst, g, a, b []Elem) { gatePortable(dst, g, a, b) }

func (isa) gateBackward(d Gated, dy []Elem, x Gated) { gateBackwardPortable(d, dy, x) }

func (isa) resetBackward(dr, dx, dq, r, x []Elem) { resetBackwardPortable(dr, dx, dq, r, x) }

func (isa) quickGELU(dst, x []Elem) { quickGELUPortable(dst, x) }

func (isa) quickGELUBackward(dx, y, x, dy []Elem) { quickGELUBackwardPortable(dx, y, x, dy) }

func (isa) combineRows(dst []Elem, x, y Scaled, row []Elem) { combineRowsPortable(dst, x, y, row) }
