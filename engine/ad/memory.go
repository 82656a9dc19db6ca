package ad

import (
	"slices"
	"unsafe"

	"attnatlas/engine/tensor"
)

// slab is an arena: it allocates pieces of a block and takes them all back at once. If a block was
// too small for a round, it is replaced by one that would have been large enough. After a few
// rounds, there is a single block and no garbage.
type slab[E any] struct {
	block []E
	used  int // allocated elements of the block
	total int // allocated elements of all blocks
	peak  int // largest total since the last reset
}

const smallestBlock = 256

// take returns n uninitialised elements.
func (s *slab[E]) take(n int) []E {
	s.total += n
	if s.used+n > len(s.block) {
		// Slices of the old block keep it alive until reset.
		s.block = tensor.Huge(make([]E, max(n, len(s.block)/2, smallestBlock)))
		s.used = 0
	}
	s.used += n
	return s.block[s.used-n : s.used : s.used]
}

// most returns the largest number of elements in use at once since the last reset.
func (s *slab[E]) most() int { return max(s.peak, s.total) }

func (s *slab[E]) reset() {
	if need := s.most(); need > len(s.block) {
		s.block = tensor.Huge(make([]E, need+need/8))
	}
	s.used, s.total, s.peak = 0, 0, 0
}

// release takes back everything that was allocated since mark was copied from s. If a new block was
// begun since then, the next block has room for all of it.
func (s *slab[E]) release(mark slab[E]) {
	switch need := s.total - mark.total; {
	case unsafe.SliceData(s.block) == unsafe.SliceData(mark.block):
		s.used = mark.used
	case need > len(s.block):
		s.block, s.used = tensor.Huge(make([]E, need+need/8)), 0
	default:
		s.used = 0
	}
	s.peak = max(s.peak, s.total)
	s.total = mark.total
}

// release takes back everything that was allocated since mark.
func (t *Tape) release(mark *Tape) {
	if t.explains {
		return // every number can still be traced
	}
	t.numbers.release(mark.numbers)
	t.ints.release(mark.ints)
	t.arrays.release(mark.arrays)
	t.vars.release(mark.vars)
	t.used = mark.used
}

// Blocks computes an array with the batch and the rows n of like, [B,n,width], in blocks of rows.
// compute returns the rows from ≤ i < to as [B,to-from,width]. Its memory is taken back after each
// block, so nothing else that it computes can be used later. If the tape records or explains, or if
// one block holds all rows, compute is called once.
func (t *Tape) Blocks(like *Var, width, size int, compute func(from, to int) *Var) *Var {
	batch, n := like.Dim(0), like.Dim(-2)
	if t.records() || t.explains || n <= size {
		return compute(0, n)
	}
	y := t.newVar(t.array(batch, n, width))
	for from := 0; from < n; from += size {
		to := min(from+size, n)
		mark := *t
		part := compute(from, to).Value.Data
		for b := range batch {
			copy(y.Value.Data[(b*n+from)*width:], part[b*(to-from)*width:][:(to-from)*width])
		}
		t.release(&mark)
	}
	return y
}

// Scratch computes a value and, if nothing is recorded, takes back the memory of all intermediate
// values, which must not be used later. A network of many stages then works in memory that stays in
// the cache.
func (t *Tape) Scratch(compute func() *Var) *Var {
	if t.records() || t.explains {
		return compute()
	}
	mark := *t
	y := compute()
	shape, data := slices.Clone(y.Shape()), y.Value.Data
	t.release(&mark)
	kept := t.newVar(t.array(shape...))
	copy(kept.Value.Data, data) // the two can overlap, which copy allows
	return kept
}

// ScratchInto is like Scratch, but copies the result to the start of buffer, which belongs to the caller. It returns
// buffer, or a new larger one if the result does not fit.
func (t *Tape) ScratchInto(buffer []Elem, compute func() *Var) (*Var, []Elem) {
	mark := *t
	y := compute()
	if len(buffer) < y.Value.Len() {
		buffer = make([]Elem, y.Value.Len())
	}
	shape, data := slices.Clone(y.Shape()), buffer[:y.Value.Len()]
	copy(data, y.Value.Data)
	t.release(&mark)
	return t.Const(tensor.From(data, shape...)), buffer
}

// Held returns the largest number of bytes that values and gradients occupied at once since the
// last Reset.
func (t *Tape) Held() int {
	return (t.numbers.most() + t.grads.most()) * int(unsafe.Sizeof(Elem(0)))
}
