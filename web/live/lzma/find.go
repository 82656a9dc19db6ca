package lzma

import "encoding/binary"

// match is bytes that were there before.
type match struct {
	length   int
	distance uint32 // from 0
}

const (
	deepest  = 48 // nodes of a tree that are looked at
	hashBits = 18
)

// finder finds where the next bytes were before. Places with (nearly) the same four bytes are a binary tree: the last
// place is its root, places whose bytes come before those of a node are on its left, and all below are before it in
// data.
type finder struct {
	data  []byte
	next  int            // place that is in no tree yet
	two   [1 << 16]int32 // last places + 1 with the same two bytes,
	three [1 << hashBits]int32
	roots [1 << hashBits]int32
	below [][2]int32 // places + 1
}

func hash(n uint32) uint32 { return n * 0x9e3779b1 >> (32 - hashBits) }

// find appends matches at a place, each longer and farther than the one before. Places are asked for in their order.
func (f *finder) find(all []match, at int) []match {
	for f.next < at {
		f.enter(nil)
	}
	return f.enter(all)
}

// enter makes the next place the root of its tree, and appends what it meets on the way.
func (f *finder) enter(all []match) []match {
	at := f.next
	f.next++
	if at+4 > len(f.data) {
		return all
	}
	four, most, best := binary.LittleEndian.Uint32(f.data[at:]), min(longest, len(f.data)-at), 1
	found := func(place, length int) {
		if length > best {
			best = length
			all = append(all, match{length, uint32(at - place - 1)})
		}
	}
	for _, last := range []*int32{&f.two[four&0xffff], &f.three[hash(four<<8)]} {
		if place := int(*last) - 1; place >= 0 {
			found(place, f.equal(place, at, 0, most))
		}
		*last = int32(at + 1)
	}
	root := &f.roots[hash(four)]
	place := *root
	*root = int32(at + 1)
	f.sink(at, most, place, found)
	return all
}

// sink divides the tree under a place into what comes before the bytes at another one and what comes after them, which
// become its two branches.
func (f *finder) sink(at, most int, place int32, found func(place, length int)) {
	ends := [2]*int32{&f.below[at][0], &f.below[at][1]} // where the next node of either side goes
	var same [2]int                                     // bytes that all of a side have in common with those here
	for range deepest {
		if place == 0 {
			break
		}
		p := int(place - 1)
		n := f.equal(p, at, min(same[0], same[1]), most)
		found(p, n)
		if n == most {
			*ends[0], *ends[1] = f.below[p][0], f.below[p][1]
			return
		}
		side := 0
		if f.data[p+n] > f.data[at+n] {
			side = 1
		}
		*ends[side], same[side] = place, n
		ends[side] = &f.below[p][1-side]
		place = *ends[side]
	}
	*ends[0], *ends[1] = 0, 0
}

// equal is how many bytes at two places are the same, of which some are known to be, at most so many.
func (f *finder) equal(a, b, n, most int) int {
	for n < most && f.data[a+n] == f.data[b+n] {
		n++
	}
	return n
}
