package tokenizers

// trie finds entries that begin at a place of a text.
type trie struct {
	edges *table[uint32] // from a node, shifted, and a byte to the next node
	ids   []int32        // by node; -1: no entry ends there
}

// mostNodes bounds a trie.
const mostNodes = 1 << 22

// newTrie has a root, and room for a number of entries before it grows.
func newTrie(room int) *trie {
	return &trie{newTable[uint32](3 * room), append(make([]int32, 0, 3*room+1), -1)}
}

// add puts an entry in, unless there is no room for it; of the same ones the last stays.
func (t *trie) add(entry string, id int32) bool {
	node := uint32(0)
	for i := range len(entry) {
		next := t.edges.at(uint64(node)<<8 | uint64(entry[i]))
		if *next == 0 {
			if len(t.ids) == mostNodes {
				return false
			}
			*next = uint32(len(t.ids))
			t.ids = append(t.ids, -1)
		}
		node = *next
	}
	t.ids[node] = id
	return true
}

// next is the node to which a byte leads; 0: it leads nowhere.
func (t *trie) next(node uint32, b byte) uint32 {
	to, _ := t.edges.get(uint64(node)<<8 | uint64(b))
	return to
}

// longest finds the longest entry with which s begins, from a node on; the id is -1 where there is none.
func (t *trie) longest(node uint32, s string) (id int32, size int) {
	id = -1
	for i := range len(s) {
		if node = t.next(node, s[i]); node == 0 {
			break
		}
		if t.ids[node] >= 0 {
			id, size = t.ids[node], i+1
		}
	}
	return id, size
}

// walk is the node to which a string leads; ok is false where it leads nowhere.
func (t *trie) walk(s string) (node uint32, ok bool) {
	for i := range len(s) {
		if node = t.next(node, s[i]); node == 0 {
			return 0, false
		}
	}
	return node, true
}
