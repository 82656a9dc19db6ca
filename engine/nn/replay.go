package nn

// Replay remembers what a part of a pass has chosen, such as the buckets of a hash:
// computed again from inputs that rounding has changed, it has to choose the same.
type Replay struct {
	made [][]int
	next int
}

// Replay is the pass of a part that may be computed several times: r keeps the choices of
// the first time, in their order, for the other times.
func (p *Pass) Replay(r *Replay) *Pass {
	r.next = 0
	part := *p
	part.replay = r
	return &part
}

// Choose is choose(), or its result when this part of the pass was computed for the first
// time. The numbers must not be written afterwards.
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
