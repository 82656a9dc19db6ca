package nn

// Choices remember what a part of a pass has chosen, such as the buckets of a hash:
// computed again from inputs that rounding has changed, it has to choose the same.
type Choices struct {
	made [][]int
	next int
}

// Recall is the pass of a part that may be computed several times: c keeps the choices of
// the first time, in their order, for the other times.
func (p *Pass) Recall(c *Choices) *Pass {
	c.next = 0
	part := *p
	part.choices = c
	return &part
}

// Choose is choose(), or its result when this part of the pass was computed for the first
// time. The numbers must not be written afterwards.
func (p *Pass) Choose(choose func() []int) []int {
	c := p.choices
	if c == nil {
		return choose()
	}
	if c.next == len(c.made) {
		c.made = append(c.made, choose())
	}
	c.next++
	return c.made[c.next-1]
}
