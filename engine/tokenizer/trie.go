package tokenizer

// A trie holds the learned pieces, so that one walk along the text finds the longest match. The
// walk ends where no piece continues, so it is never longer than the longest piece, whatever the
// length of the word.
type trie struct {
	next map[edge]int32
	id   []int32 // id[node] is the piece that ends there, or none
	leaf []bool  // no piece continues after the node
}

// edge is a node and the character of an edge that leaves it.
type edge uint64

// Two trees share the nodes: pieces that begin a pre-token, and pieces that
// continue a run of letters.
const (
	initialRoot int32 = iota
	insideRoot
)

const none = -1

func newTrie() trie {
	return trie{next: make(map[edge]int32), id: []int32{none, none}, leaf: []bool{true, true}}
}

func edgeOf(node int32, r rune) edge { return edge(node)<<32 | edge(uint32(r)) }

func (t *trie) add(node int32, piece string, id int) {
	for _, r := range piece {
		e := edgeOf(node, r)
		child, ok := t.next[e]
		if !ok {
			child = int32(len(t.id))
			t.id = append(t.id, none)
			t.leaf[node] = false
			t.leaf = append(t.leaf, true)
			t.next[e] = child
		}
		node = child
	}
	t.id[node] = int32(id)
}

// longest returns the longest piece below root that matches text[pos:], and its end. The id is none
// if not even one character matches.
func (t *trie) longest(root int32, text string, pos int) (id, end int) {
	id, end = none, pos
	for node := root; pos < len(text) && !t.leaf[node]; {
		r, size, ok := decode(text, pos)
		if !ok {
			break // U+FFFD can be a piece; an invalid byte is not U+FFFD
		}
		child, ok := t.next[edgeOf(node, r)]
		if !ok {
			break
		}
		node, pos = child, pos+size
		if t.id[node] != none {
			id, end = int(t.id[node]), pos
		}
	}
	return id, end
}
