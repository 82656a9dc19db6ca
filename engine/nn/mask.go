package nn

import (
	"slices"

	"attnatlas/engine/ad"
	"attnatlas/engine/tensor"
)

// MaskKind is the kind of attention mask that a request chooses.
type MaskKind uint8

const (
	NoMask MaskKind = iota // every position can attend to every position
	Causal                 // position i can attend only to positions j ≤ i
)

var maskNames = [...]string{"none", "causal"}

// String returns the name of the mask, as in URLs.
func (m MaskKind) String() string { return maskNames[m] }

// Mask is the attention mask of a pass: it says which positions can be attended to. In its arrays,
// true means visible. The zero Mask hides nothing.
type Mask struct {
	Kind MaskKind
	// Keys reports for every position of every sequence [B·N] whether it is text (true) or padding, to
	// which no position can attend. Nil means that all positions are text.
	Keys []bool
	// Pairs [N·N] hides single pairs in all sequences: Pairs[q·N+k] says whether q can attend to k.
	// Nil means that no pair is hidden.
	Pairs []bool
	// N is the length of the sequences. It is needed only with Keys or Pairs.
	N int
	// Added means that a penalty is added to the scores that Keys and Pairs hide, as in the
	// transformers library and Mesh TensorFlow, instead of replacing them. The resulting weights
	// are the same. Only the gradients of rows with nothing visible differ, because they flow back
	// through the sum. Scores of later positions under a causal mask are always replaced.
	Added bool
	// Cut is an ablation in addition to the mask; nil means none. It is separate from the mask:
	// Allows ignores it.
	Cut *Cut
}

// Masked is the score that replaces the score of a hidden pair, as in the Annotated Transformer
// (Rush 2018: masked_fill(mask == 0, -1e9)). It is finite, so that a row with nothing visible has a
// defined result. After softmax, all its scores are equal, and it attends to every position
// equally, with 1/N each, padding included. A pair that is hidden twice, as padding and by the
// causal mask, gets twice the score. Such a row of a causal model therefore ignores padding at
// later positions, as in the transformers library.
const Masked = -1e9

// Open reports whether nothing is hidden and nothing is left out by Cut.
func (m Mask) Open() bool {
	return m.Kind == NoMask && m.Keys == nil && m.Pairs == nil && m.Cut.Empty()
}

// Within returns the mask that also hides the pairs [n·n] that are false.
func (m Mask) Within(pairs []bool, n int) Mask {
	if m.Pairs != nil {
		pairs = slices.Clone(pairs)
		for i, allowed := range m.Pairs {
			pairs[i] = pairs[i] && allowed
		}
	}
	m.Pairs, m.N = pairs, n
	return m
}

// forbids reports whether any pairs are hidden.
func (m Mask) forbids() bool { return m.Kind != NoMask || m.Keys != nil || m.Pairs != nil }

// Allows reports whether position q of sequence b can attend to position k.
func (m Mask) Allows(b, q, k int) bool {
	return (m.Kind != Causal || k <= q) &&
		(m.Keys == nil || m.Keys[b*m.N+k]) &&
		(m.Pairs == nil || m.Pairs[q*m.N+k])
}

// Apply replaces the hidden scores [H,M,N] of the queries from … from+M−1 by Masked, and lowers
// those that are blocked. If all sequences share the scores but are padded differently, the result
// has separate scores for each sequence.
func (m Mask) Apply(scores *ad.Var, from int) *ad.Var {
	if m.Open() {
		return scores
	}
	return m.ApplyTo(scores, upFrom(from, scores.Dim(-2)))
}

// upFrom returns count consecutive numbers, starting with first.
func upFrom(first, count int) []int {
	all := make([]int, count)
	for i := range all {
		all[i] = first + i
	}
	return all
}

// ApplyTo is Apply for any list of queries.
func (m Mask) ApplyTo(scores *ad.Var, queries []int) *ad.Var {
	if m.forbids() {
		scores = m.forbid(scores, queries)
	}
	return m.cut(scores, queries)
}

func (m Mask) forbid(scores *ad.Var, queries []int) *ad.Var {
	n, planes := scores.Dim(-1), 1
	if m.Keys != nil {
		planes = len(m.Keys) / n
	}
	cells := make([]uint8, planes*len(queries)*n)
	for i := range planes * len(queries) {
		b, q, row := i/len(queries), queries[i%len(queries)], cells[i*n:][:n]
		if m.Keys == nil && m.Pairs == nil { // causal alone
			for k := q + 1; k < n; k++ {
				row[k] = future
			}
			continue
		}
		for k := range row {
			row[k] = m.cell(b, q, k)
		}
	}
	return ad.Replace(scores, cells, []ad.Replacement{
		hidden - 1: {Value: Masked, Flows: m.Added}, future - 1: {Value: Masked}, twice - 1: {Value: 2 * Masked},
	}...)
}

// The classes of a cell [query, key] under a mask.
const (
	visible uint8 = iota
	hidden        // as padding, or by Pairs
	future        // by the causal mask
	twice         // as padding and by the causal mask
)

// cell returns the class of a pair of positions of sequence b.
func (m Mask) cell(b, q, k int) uint8 {
	later, padding := m.Kind == Causal && k > q, m.Keys != nil && !m.Keys[b*m.N+k]
	switch {
	case m.Allows(b, q, k):
		return visible
	case later && padding:
		return twice
	case later:
		return future
	}
	return hidden
}

// Additive returns the bias [B,H,N] that Fastformer adds to its scores: 0 for text, and −10⁴ for
// padding and blocked words, the same for every head. In float32, the sum is exact to about 10⁻³.
// It is nil if there is neither padding nor a blocked word.
func (m Mask) Additive(batch, heads, n int) *tensor.T {
	keys := m.Readable(batch, n)
	if keys == nil {
		return nil
	}
	bias := tensor.New(batch, heads, n)
	for b := range batch {
		for h := range heads {
			for k, readable := range keys[b*n:][:n] {
				if !readable {
					bias.Set(-1e4, b, h, k)
				}
			}
		}
	}
	return bias
}
