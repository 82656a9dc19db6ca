package nn

import (
	"slices"

	"attnatlas/engine/ad"
	"attnatlas/engine/tensor"
)

// Cache keeps the keys and values of the positions that a causal model has read, so that the
// next position needs no other one computed again. Mixers are told apart by the order in which
// a pass calls them. The zero Cache is empty.
type Cache struct {
	past []past // of each call of a mixer
	call int    // which comes next
}

// past are the keys and the values [n,width] that one call of a mixer has computed, row after row.
type past struct {
	keys, values []tensor.Elem
	width        int
	whole        bool // they are those of another text, which does not grow
}

// Begin prepares the cache for a pass over the next positions.
func (c *Cache) Begin() { c.call = 0 }

// Keep forgets all but the first n positions.
func (c *Cache) Keep(n int) {
	for i := range c.past {
		p := &c.past[i]
		if p.whole {
			continue
		}
		p.keys, p.values = p.keys[:min(len(p.keys), n*p.width)], p.values[:min(len(p.values), n*p.width)]
	}
}

// Remembered is how many positions the pass's cache has of the mixer that calls it, before Remember.
func (p *Pass) Remembered() int {
	c := p.Cache
	if c == nil || c.call == len(c.past) {
		return 0
	}
	return len(c.past[c.call].keys) / c.past[c.call].width
}

// Remember adds the keys and values [1,n,d] of new positions to those that the pass's cache
// has of this mixer, and gives all of them [1,m,d]. Without a cache it gives them as they are.
// It is called once for each call of a mixer.
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

// Once gives the keys and values [1,m,d] that a mixer makes of another text. With a cache it makes them once. It is
// called once for each call of a mixer.
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

// rows is an array [1,m,d].
func (p *Pass) rows(data []tensor.Elem, d int) *ad.Var {
	return p.Tape.Const(tensor.From(data, 1, len(data)/d, d))
}
