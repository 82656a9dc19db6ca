package lzma

import "math"

// unit is the price of one bit of information.
const unit = 16

// bitPrices are the prices of a bit, by its probability: entry i stands for (i + ½)/128.
var bitPrices = func() (all [128]uint32) {
	for i := range all {
		all[i] = uint32(math.Round(-unit * math.Log2((float64(i)+0.5)/128)))
	}
	return all
}()

func priceOf(c chance, bit uint32) uint32 {
	if bit == 1 {
		c = 1<<chanceBits - 1 - c
	}
	return bitPrices[c>>(chanceBits-7)]
}

// price adds up the cost of bits.
type price uint32

func (p *price) bit(c *chance, bit uint32) { *p += price(priceOf(*c, bit)) }
func (p *price) direct(_ uint32, n int)    { *p += price(n * unit) }

// tariff holds the prices of lengths and distances for a while. A lookup is faster than adding them up each time.
type tariff struct {
	length [2][places][longest + 1]uint32
	slot   [4][slots]uint32 // with the bits that have no model
	near   [4][near]uint32
	align  [1 << alignBits]uint32
}

func (t *tariff) fill(m *models) {
	cost := func(put func(to sink)) uint32 {
		var p price
		put(&p)
		return uint32(p)
	}
	for i := range t.length {
		for place := range places {
			for n := shortest; n <= longest; n++ {
				t.length[i][place][n] = cost(func(to sink) { m.length[i].put(to, place, n) })
			}
		}
	}
	for class := range t.slot {
		for slot := range uint32(slots) {
			t.slot[class][slot] = cost(func(to sink) { tree(to, m.slot[class][:], 6, slot) })
			if slot >= nearSlots {
				t.slot[class][slot] += (slot/2 - 1 - alignBits) * unit
			}
		}
		for d := range uint32(near) {
			t.near[class][d] = cost(func(to sink) { m.distance(to, class, d) })
		}
	}
	for i := range t.align {
		t.align[i] = cost(func(to sink) { reverse(to, m.align[:], alignBits, uint32(i)) })
	}
}

func (t *tariff) distance(class int, distance uint32) uint32 {
	if distance < near {
		return t.near[class][distance]
	}
	return t.slot[class][slotOf(distance)] + t.align[distance&(1<<alignBits-1)]
}
