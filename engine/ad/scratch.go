package ad

import "slices"

// Scratch computes a value and, where nothing is recorded, takes back the memory of everything else
// that was computed for it: nothing of that must be used later. A network of many
// stages then works in memory that it has in the cache.
func (t *Tape) Scratch(compute func() *Var) *Var {
	if t.records() {
		return compute()
	}
	mark := *t
	y := compute()
	shape, data := slices.Clone(y.Shape()), y.Value.Data
	t.release(&mark)
	kept := t.newVar(t.array(shape...), false)
	copy(kept.Value.Data, data) // the two may overlap, which copy allows
	return kept
}
