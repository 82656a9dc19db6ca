package ad

// slab hands out pieces of large blocks and takes them all back at once.
type slab[E any] struct {
	blocks [][]E
	block  int // the block in use
	used   int // elements of it that are handed out
}

const slabBlock = 1 << 16

// take returns n elements with whatever was in them.
func (s *slab[E]) take(n int) []E {
	for ; s.block < len(s.blocks); s.block++ {
		if b := s.blocks[s.block]; s.used+n <= len(b) {
			s.used += n
			return b[s.used-n : s.used : s.used]
		}
		s.used = 0
	}
	s.blocks = append(s.blocks, make([]E, max(n, slabSize[E]())))
	s.used = n
	return s.blocks[s.block][:n:n]
}

func (s *slab[E]) reset() { s.block, s.used = 0, 0 }

// slabSize keeps blocks of numbers large and blocks of anything else small.
func slabSize[E any]() int {
	var e E
	if _, ok := any(e).(Elem); ok {
		return slabBlock
	}
	return slabBlock / 64
}
