package lzma

import "math/bits"

// The setting: how many bits of the previous byte select the model of a literal, and how many bits of its place
// that of a match.
const (
	literalBits = 3
	placeBits   = 2
	places      = 1 << placeBits
)

// Sizes of the format.
const (
	states    = 12 // kinds of recent steps
	shortest  = 2  // length of a match
	longest   = shortest + 8 + 8 + 256 - 1
	slots     = 64
	near      = 128 // smaller distances have a model for every bit;
	nearSlots = 14  // they have this number of slots
	alignBits = 4   // the other distances have models for this number of lowest bits
)

// chance is the probability of a 0 bit, in units of 1/2048.
type chance uint16

const even chance = 1 << 10

// lengths holds the models of the lengths of matches.
type lengths struct {
	choice   [2]chance
	low, mid [places][8]chance
	high     [256]chance
}

// models holds all probabilities of a stream. They are the same for the writer and the reader.
type models struct {
	isMatch, isLong [states][places]chance
	isRep           [4][states]chance // reused: at all; if so, not the last, the one before, nor that
	slot            [4][slots]chance
	low             [near - nearSlots + 1]chance
	align           [1 << alignBits]chance
	length          [2]lengths // of new and of reused distances
	literal         [1 << literalBits][0x300]chance
}

// reset makes all probabilities equal to one half.
func (m *models) reset() {
	fill := func(rows ...[]chance) {
		for _, row := range rows {
			for i := range row {
				row[i] = even
			}
		}
	}
	for s := range states {
		fill(m.isMatch[s][:], m.isLong[s][:])
	}
	for i := range m.slot {
		fill(m.isRep[i][:], m.slot[i][:])
	}
	for i := range m.length {
		l := &m.length[i]
		fill(l.choice[:], l.high[:])
		for p := range places {
			fill(l.low[p][:], l.mid[p][:])
		}
	}
	for i := range m.literal {
		fill(m.literal[i][:])
	}
	fill(m.low[:], m.align[:])
}

// sink receives bits, either to write them or to add up their cost.
type sink interface {
	bit(c *chance, bit uint32)
	direct(value uint32, n int) // n bits without a model, the highest first
}

// tree encodes n bits of a value, the highest first. The bits before it select the probability of each bit.
func tree(to sink, m []chance, n int, value uint32) {
	at := uint32(1)
	for n--; n >= 0; n-- {
		bit := value >> n & 1
		to.bit(&m[at], bit)
		at = at<<1 | bit
	}
}

// reverse is like tree, with the lowest bit first.
func reverse(to sink, m []chance, n int, value uint32) {
	at := uint32(1)
	for range n {
		to.bit(&m[at], value&1)
		at = at<<1 | value&1
		value >>= 1
	}
}

// matched encodes a literal after a match. The byte at the last distance is known to differ from it. As long as
// their bits are equal, these have probabilities of their own.
func (m *models) matched(to sink, before, known, b byte) {
	table, symbol, other, offset := &m.literal[before>>(8-literalBits)], uint32(b)|0x100, uint32(known), uint32(0x100)
	for symbol < 0x10000 {
		other <<= 1
		to.bit(&table[offset+other&offset+symbol>>8], symbol>>7&1)
		symbol <<= 1
		offset &^= other ^ symbol
	}
}

func (m *models) plain(to sink, before, b byte) {
	tree(to, m.literal[before>>(8-literalBits)][:], 8, uint32(b))
}

// put encodes a length.
func (l *lengths) put(to sink, place, length int) {
	switch n := uint32(length - shortest); {
	case n < 8:
		to.bit(&l.choice[0], 0)
		tree(to, l.low[place][:], 3, n)
	case n < 16:
		to.bit(&l.choice[0], 1)
		to.bit(&l.choice[1], 0)
		tree(to, l.mid[place][:], 3, n-8)
	default:
		to.bit(&l.choice[0], 1)
		to.bit(&l.choice[1], 1)
		tree(to, l.high[:], 8, n-16)
	}
}

// slotOf combines the number of bits of a distance with its second highest bit.
func slotOf(distance uint32) uint32 {
	if distance < 4 {
		return distance
	}
	n := uint32(bits.Len32(distance)) - 1
	return 2*n | distance>>(n-1)&1
}

// lengthClass returns the class of a length that selects the models of slots.
func lengthClass(length int) int { return min(length-shortest, 3) }

// distance encodes the distance of a match, counted from 0.
func (m *models) distance(to sink, class int, distance uint32) {
	slot := slotOf(distance)
	tree(to, m.slot[class][:], 6, slot)
	if slot < 4 {
		return
	}
	n := int(slot/2 - 1)
	base := (2 | slot&1) << n
	if slot < nearSlots {
		reverse(to, m.low[base-slot:], n, distance-base)
		return
	}
	to.direct((distance-base)>>alignBits, n-alignBits)
	reverse(to, m.align[:], alignBits, distance&(1<<alignBits-1))
}

// again encodes that the distance is one of the last four, by its index.
func (m *models) again(to sink, state uint8, which int) {
	to.bit(&m.isRep[0][state], 1)
	for i := range min(which, 2) + 1 {
		if i < 3 {
			more := uint32(0)
			if which > i {
				more = 1
			}
			to.bit(&m.isRep[1+i][state], more)
		}
	}
}
