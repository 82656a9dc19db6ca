package encoder

import (
	"attnatlas/engine/ad"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
)

// TargetContinuer reads a source once, and then a target token by token. It caches the keys and values of both, so
// that each token costs one position. Its model comes from AssembleSeq2Seq.
type TargetContinuer struct {
	model  *Seq2Seq
	in     Pair // its target so far
	cache  nn.Cache
	memory *tensor.T // nil: the source has not been read
}

// NewTargetContinuer starts an empty target of a source.
func NewTargetContinuer(m *Seq2Seq, source Pair) *TargetContinuer {
	source.Target = nil
	return &TargetContinuer{model: m, in: source}
}

// Len returns the number of target tokens read so far.
func (c *TargetContinuer) Len() int { return len(c.in.Target) }

// Read reads at least one more token of the target and returns the scores [1,V] of the next one. The pass must be
// fresh or reset, and must not be used for anything else. It records the maps of the decoder.
func (c *TargetContinuer) Read(p *nn.Pass, ids ...int) *ad.Var {
	if c.memory == nil {
		alone := *p
		alone.Run = nil
		c.memory = c.model.Encode(&alone, c.in).Value.Clone()
	}
	p.Cache = &c.cache
	if len(c.in.Target) == 0 {
		return c.read(p, ids)
	}
	var scores *ad.Var
	for _, id := range ids {
		scores = c.read(p, []int{id})
	}
	return scores
}

// read reads tokens in one pass.
func (c *TargetContinuer) read(p *nn.Pass, ids []int) *ad.Var {
	c.cache.Begin()
	in := c.in
	in.From, in.Target = len(c.in.Target), ids
	y := c.model.Decode(p, in, p.Tape.Const(c.memory))
	c.in.Target = append(c.in.Target, ids...)
	return c.model.Words(p, y, []int{len(ids) - 1})
}
