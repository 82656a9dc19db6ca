package tokenizers

// trie finds entries that begin at a place of a text. Its edges stand in a hash table.
type trie struct {
	edges []edge
	used  int
	ids   []int32 // by node; -1: no entry ends there
}

// edge leads from a node by a byte, both in key, to another; zero is none.
type edge struct{ key, to uint32 }

// mostNodes is what the upper 24 bits of a key can tell apart.
const mostNodes = 1 << 24

// newTrie has a root.
func newTrie() *trie { return &trie{edges: make([]edge, 1<<10), ids: []int32{-1}} }

// add puts an entry in, unless there is no room for it; of the same ones the last stays.
func (t *trie) add(entry string, id int32) bool {
	node := uint32(0)
	for i := range len(entry) {
		next := t.next(node, entry[i])
		if next == 0 {
			if len(t.ids) == mostNodes {
				return false
			}
			next = uint32(len(t.ids))
			t.ids = append(t.ids, -1)
			t.put(edge{node<<8 | uint32(entry[i]), next})
		}
		node = next
	}
	t.ids[node] = id
	return true
}

// put stores an edge, in a table that stays half empty.
func (t *trie) put(e edge) {
	if t.used++; 2*t.used > len(t.edges) {
		old := t.edges
		t.edges = make([]edge, 2*len(old))
		for _, e := range old {
			if e.to != 0 {
				*t.slot(e.key) = e
			}
		}
	}
	*t.slot(e.key) = e
}

// slot is where the edge with a key stands, or would.
func (t *trie) slot(key uint32) *edge {
	mask := uint32(len(t.edges) - 1)
	for i := key * 0x9E3779B1 >> 7; ; i++ {
		if e := &t.edges[i&mask]; e.to == 0 || e.key == key {
			return e
		}
	}
}

// next is the node to which a byte leads; 0: it leads nowhere.
func (t *trie) next(node uint32, b byte) uint32 { return t.slot(node<<8 | uint32(b)).to }

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
