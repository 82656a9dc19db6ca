package nn

// Replay stores the choices of a part of a pass, such as the buckets of a hash. If the part is
// computed again from inputs that differ by rounding, it must make the same choices.
type Replay struct {
	made [][]int
	next int
}

// Replay returns the pass for a part that can be computed several times. r stores the choices of
// the first time, in their order, for the other times.
func (p *Pass) Replay(r *Replay) *Pass {
	r.next = 0
	part := *p
	part.replay = r
	return &part
}

// Choose returns choose() when this part of the pass is computed for the first time, and the stored
// result afterwards. The numbers must not be changed.
func (p *Pass) Choose(choose func() []int) []int {
	r := p.replay
	if r == nil {
		return choose()
	}
	if r.next == len(r.made) {
		r.made = append(r.made, choose())
	}
	r.next++
	return r.made[r.next-1]
}
