package nn

import (
	"slices"

	"attnatlas/engine/ad"
	"attnatlas/engine/tensor"
)

// MaskKind is the mask that a request asks for.
type MaskKind uint8

const (
	NoMask MaskKind = iota // every position may read every position
	Causal                 // position i may read j ≤ i only
)

var maskNames = [...]string{"none", "causal"}

// String returns the name of the mask, as in addresses.
func (m MaskKind) String() string { return maskNames[m] }

// Mask is what a pass forbids. The convention is 1 = visible. The zero Mask
// forbids nothing.
type Mask struct {
	Kind MaskKind
	// Keys says of every position of every sequence [B·N] whether it is text
	// (true) or padding that nobody may read; nil means all text.
	Keys []bool
	// Pairs [N·N] forbids single pairs for all sequences: Pairs[q·N+k] says
	// whether q may read k; nil means all pairs.
	Pairs []bool
	// N is the length of the sequences; needed with Keys or Pairs only.
	N int
	// Added says that a penalty is added to the scores that Keys and Pairs hide, as the
	// transformers library and Mesh TensorFlow do, instead of replacing them. The values
	// are the same; only the gradients of a row with nothing visible differ: they flow
	// back through the sum. The future is always replaced.
	Added bool
	// Cut is what a mixer leaves out besides; nil: nothing. It forbids nothing: Allows does not know of it.
	Cut *Cut
}

// Masked is the score that replaces that of a forbidden pair, as in the Annotated
// Transformer (Rush 2018: masked_fill(mask == 0, -1e9)). It is finite, so that a row
// with nothing visible has a defined result: after softmax all its scores are equal
// and it reads every position alike, 1/N each, padding included. A pair that is
// forbidden twice, as padding and as the future, gets twice the score, so that such a
// row of a causal model reads no padding that lies ahead, as in the transformers library.
const Masked = -1e9

// Open says that nothing is forbidden and nothing is cut.
func (m Mask) Open() bool {
	return m.Kind == NoMask && m.Keys == nil && m.Pairs == nil && m.Cut.Empty()
}

// Within is the mask that also forbids the pairs [n·n] that are false.
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

// forbids says that there are pairs that are not allowed.
func (m Mask) forbids() bool { return m.Kind != NoMask || m.Keys != nil || m.Pairs != nil }

// Allows says whether position q of sequence b may read position k.
func (m Mask) Allows(b, q, k int) bool {
	return (m.Kind != Causal || k <= q) &&
		(m.Keys == nil || m.Keys[b*m.N+k]) &&
		(m.Pairs == nil || m.Pairs[q*m.N+k])
}

// Apply replaces forbidden scores [H,M,N] of the queries from … from+M-1 by Masked, and lowers those that
// are cut. Scores that all sequences share get one plane per sequence when the
// sequences are padded differently.
func (m Mask) Apply(scores *ad.Var, from int) *ad.Var {
	if m.Open() {
		return scores
	}
	return m.ApplyTo(scores, upFrom(from, scores.Dim(-2)))
}

// upFrom are count numbers from one on.
func upFrom(first, count int) []int {
	all := make([]int, count)
	for i := range all {
		all[i] = first + i
	}
	return all
}

// ApplyTo is Apply for any queries.
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
	cells := make([]uint8, 0, planes*len(queries)*n)
	for b := range planes {
		for _, q := range queries {
			for k := range n {
				cells = append(cells, m.cell(b, q, k))
			}
		}
	}
	return ad.Replace(scores, cells, []ad.Replacement{
		hidden - 1: {Value: Masked, Flows: m.Added}, future - 1: {Value: Masked}, twice - 1: {Value: 2 * Masked},
	}...)
}

// The classes of a cell [query, key] under a mask.
const (
	visible uint8 = iota
	hidden        // as padding or as a pair
	future        // by the causal mask
	twice         // as padding and as the future
)

// cell is the class of a pair of positions of sequence b.
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

// Additive is 0 for text and −10⁴ for padding and for words that are cut, the same for every head,
// [B,H,N]: the bias that Fastformer adds to its scores, in float32 exact to about 10⁻³.
// Nil when there are neither.
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
