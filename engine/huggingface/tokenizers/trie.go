package tokenizers

// trie finds entries at a place of a text.
type trie struct {
	edges *table[uint32] // from a node, shifted, and a byte to the next node
	ids   []int32        // by node; -1: no entry ends here
}

// mostNodes is the most nodes of a trie.
const mostNodes = 1 << 22

// newTrie returns a trie with a root, and room for a number of entries before it grows.
func newTrie(room int) *trie {
	return &trie{newTable[uint32](3 * room), append(make([]int32, 0, 3*room+1), -1)}
}

// add adds an entry and reports whether there was room. If entries are equal, the last one stays.
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

// next returns the child of a node for a byte, or 0 if there is none.
func (t *trie) next(node uint32, b byte) uint32 {
	to, _ := t.edges.get(uint64(node)<<8 | uint64(b))
	return to
}

// longest returns the longest entry with which s begins, starting at a node. The id is -1 if there
// is none.
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

// walk returns the node for a string. ok is false if there is none.
func (t *trie) walk(s string) (node uint32, ok bool) {
	for i := range len(s) {
		if node = t.next(node, s[i]); node == 0 {
			return 0, false
		}
	}
	return node, true
}
