package tokenizers

import "math/bits"

// table is a hash table from numbers to values; half of its slots stay empty. For lookups alone it
// is several times as fast as a map.
type table[V any] struct {
	slots []slot[V]
	shift int // of a hash to a slot
	used  int
}

// slot is an entry of the table. It is empty if its key is 0.
type slot[V any] struct {
	key   uint64 // the given key plus 1
	value V
}

// newTable returns a table with room for a number of values before it grows.
func newTable[V any](room int) *table[V] {
	size := bits.Len(uint(max(2*room, 64)))
	return &table[V]{slots: make([]slot[V], 1<<size), shift: 64 - size}
}

// slot returns the slot of a key, or the empty slot for it.
func (t *table[V]) slot(key uint64) *slot[V] {
	for i := key * 0x9E3779B97F4A7C15 >> t.shift; ; i++ { // Knuth's multiplicative hash
		if s := &t.slots[i&uint64(len(t.slots)-1)]; s.key == key || s.key == 0 {
			return s
		}
	}
}

// get returns the value of a key.
func (t *table[V]) get(key uint64) (value V, ok bool) {
	s := t.slot(key + 1)
	return s.value, s.key != 0
}

// at returns a pointer to the value of a key, which is zero at first. Adding other keys invalidates
// it.
func (t *table[V]) at(key uint64) *V {
	if 2*t.used >= len(t.slots) {
		t.grow()
	}
	s := t.slot(key + 1)
	if s.key == 0 {
		s.key = key + 1
		t.used++
	}
	return &s.value
}

// grow doubles the room.
func (t *table[V]) grow() {
	old := t.slots
	t.slots, t.shift = make([]slot[V], 2*len(old)), t.shift-1
	for _, s := range old {
		if s.key != 0 {
			*t.slot(s.key) = s
		}
	}
}
