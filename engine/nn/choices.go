package nn

// Choices are the recorded choices of a part of a pass, such as the buckets of a hash:
// computed again from inputs that rounding has changed, the part has to choose the same.
type Choices struct {
	made [][]int
	next int
}

// Recall is the pass of a part that may be computed several times: the first time it
// chooses, afterwards it gets what it has chosen, in the same order.
func (p *Pass) Recall(c *Choices) *Pass {
	c.next = 0
	part := *p
	part.choices = c
	return &part
}

// Choose is what choose says, or what it said when this part of the pass was computed
// for the first time. The numbers must not be written afterwards.
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
