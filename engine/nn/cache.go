package nn

import (
	"slices"

	"attnatlas/engine/ad"
	"attnatlas/engine/tensor"
)

// Cache holds the keys and values of the positions that a causal model has already read, so that
// the next position does not require recomputing them. Calls of mixers are identified by their
// order in a pass. The zero Cache is empty.
type Cache struct {
	past []past // one for each call of a mixer
	call int    // index of the next call
}

// past holds the keys and values [n,width] that one call of a mixer has computed, row after row.
type past struct {
	keys, values []tensor.Elem
	width        int
	whole        bool // they come from another text, which does not grow
}

// Begin prepares the cache for a pass over the next positions.
func (c *Cache) Begin() { c.call = 0 }

// Keep removes all but the first n positions.
func (c *Cache) Keep(n int) {
	for i := range c.past {
		p := &c.past[i]
		if p.whole {
			continue
		}
		p.keys, p.values = p.keys[:min(len(p.keys), n*p.width)], p.values[:min(len(p.values), n*p.width)]
	}
}

// Remembered returns the number of positions that the pass's cache holds for the calling mixer,
// before Remember adds to them.
func (p *Pass) Remembered() int {
	c := p.Cache
	if c == nil || c.call == len(c.past) {
		return 0
	}
	return len(c.past[c.call].keys) / c.past[c.call].width
}

// Remember appends the keys and values [1,n,d] of new positions to those that the pass's cache
// holds for the calling mixer, and returns all of them [1,m,d]. Without a cache, it returns its
// arguments. A mixer calls it once in each of its calls.
func (p *Pass) Remember(k, v *ad.Var) (keys, values *ad.Var) {
	c := p.Cache
	if c == nil {
		return k, v
	}
	if c.call == len(c.past) {
		c.past = append(c.past, past{width: k.Dim(-1)})
	}
	kept := &c.past[c.call]
	c.call++
	kept.keys, kept.values = append(kept.keys, k.Value.Data...), append(kept.values, v.Value.Data...)
	return p.rows(kept.keys, k.Dim(-1)), p.rows(kept.values, v.Dim(-1))
}

// Once returns the keys and values [1,m,d] that a mixer computes from another text. With a cache,
// it computes them only the first time. A mixer calls it once in each of its calls.
func (p *Pass) Once(build func() (k, v *ad.Var)) (keys, values *ad.Var) {
	c := p.Cache
	if c == nil {
		return build()
	}
	if c.call == len(c.past) {
		k, v := build()
		c.past = append(c.past, past{slices.Clone(k.Value.Data), slices.Clone(v.Value.Data), k.Dim(-1), true})
		c.call++
		return k, v
	}
	kept := c.past[c.call]
	c.call++
	return p.rows(kept.keys, kept.width), p.rows(kept.values, kept.width)
}

// rows returns data as an array [1,m,d] on the tape.
func (p *Pass) rows(data []tensor.Elem, d int) *ad.Var {
	return p.Tape.Const(tensor.From(data, 1, len(data)/d, d))
}
