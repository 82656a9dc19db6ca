package tokenizers

// candidate is a possible merge of the part at an index and the next one.
type candidate struct {
	merge
	at int32
}

// before reports whether a candidate is merged first: lower rank first, then further left.
func (c candidate) before(d candidate) bool {
	return c.rank < d.rank || c.rank == d.rank && c.at < d.at
}

// mergeQueue is a heap of candidates. (container/heap would box each candidate.)
type mergeQueue []candidate

// push adds a candidate.
func (q *mergeQueue) push(c candidate) {
	h := append(*q, c)
	i := len(h) - 1
	for ; i > 0 && c.before(h[(i-1)/2]); i = (i - 1) / 2 {
		h[i] = h[(i-1)/2]
	}
	h[i] = c
	*q = h
}

// pop removes the first candidate.
func (q *mergeQueue) pop() candidate {
	h := *q
	first, c := h[0], h[len(h)-1]
	h = h[:len(h)-1]
	i := 0
	for 2*i+1 < len(h) {
		k := 2*i + 1
		if k+1 < len(h) && h[k+1].before(h[k]) {
			k++
		}
		if !h[k].before(c) {
			break
		}
		h[i], i = h[k], k
	}
	if len(h) > 0 {
		h[i] = c
	}
	*q = h
	return first
}
