package ad

import "unsafe"

// slab hands out pieces of a block and takes them all back at once. When a
// round did not fit its block, the next round has one that the round would have
// fitted: after a few rounds there is a single block and no garbage.
type slab[E any] struct {
	block []E
	used  int // elements of the block that are handed out
	total int // elements in use, of all blocks
	peak  int // the largest total since the last reset
}

// take returns n elements with whatever was in them.
func (s *slab[E]) take(n int) []E {
	s.total += n
	if s.used+n > len(s.block) {
		// What was handed out of the old block keeps it alive until reset.
		s.block = make([]E, max(n, len(s.block)/2, smallestBlock))
		s.used = 0
	}
	s.used += n
	return s.block[s.used-n : s.used : s.used]
}

// most is the largest number of elements that were in use at a time since the last reset.
func (s *slab[E]) most() int { return max(s.peak, s.total) }

const smallestBlock = 256

func (s *slab[E]) reset() {
	if need := s.most(); need > len(s.block) {
		s.block = make([]E, need+need/8)
	}
	s.used, s.total, s.peak = 0, 0, 0
}

// release takes back what was handed out since mark was copied from s. When a
// new block was begun since then, the next one has room for all of that.
func (s *slab[E]) release(mark slab[E]) {
	switch need := s.total - mark.total; {
	case unsafe.SliceData(s.block) == unsafe.SliceData(mark.block):
		s.used = mark.used
	case need > len(s.block):
		s.block, s.used = make([]E, need+need/8), 0
	default:
		s.used = 0
	}
	s.peak = max(s.peak, s.total)
	s.total = mark.total
}
