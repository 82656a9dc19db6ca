package lzma

import (
	"encoding/binary"
	"math/bits"
)

// match is an earlier occurrence of the next bytes.
type match struct {
	length   int
	distance uint32 // from 0
}

const (
	deepest  = 16 // largest number of nodes of a tree that a search visits
	hashBits = 18
)

// finder finds earlier occurrences of the next bytes. The places with (nearly) the same four bytes form a binary
// tree, with the last place as its root. Places whose bytes sort before those of a node are on its left. All
// places below a node precede it in data.
type finder struct {
	data  []byte
	next  int            // the next place to enter into a tree
	two   [1 << 16]int32 // last place + 1 of each pair of bytes; likewise for three and four
	three [1 << hashBits]int32
	roots [1 << hashBits]int32
	below [][2]int32 // places + 1
}

func hash(n uint32) uint32 { return n * 0x9e3779b1 >> (32 - hashBits) }

// find appends the matches at a place, each longer and farther away than the one before. Places must be requested
// in ascending order.
func (f *finder) find(all []match, at int) []match {
	for f.next < at {
		f.enter(nil)
	}
	return f.enter(all)
}

// enter makes the next place the root of its tree, and appends the matches that it finds on the way.
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

// sink divides the tree under a place into two: the places whose bytes sort before those at another place, and the
// places whose bytes sort after. They become the two branches of that place.
func (f *finder) sink(at, most int, place int32, found func(place, length int)) {
	ends := [2]*int32{&f.below[at][0], &f.below[at][1]} // where the next node of each side is attached
	var same [2]int                                     // number of bytes that all nodes of a side share with those here
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

// equal returns how many bytes at two places are equal, at most most. The first n are known to be equal.
func (f *finder) equal(a, b, n, most int) int {
	for ; n+8 <= most; n += 8 {
		if differ := binary.LittleEndian.Uint64(f.data[a+n:]) ^ binary.LittleEndian.Uint64(f.data[b+n:]); differ != 0 {
			return n + bits.TrailingZeros64(differ)/8
		}
	}
	for n < most && f.data[a+n] == f.data[b+n] {
		n++
	}
	return n
}
