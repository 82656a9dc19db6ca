package encoder

import (
	"attnatlas/engine/ad"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
)

// TargetContinuer reads a source once, and then a target token by token. It keeps the keys and values of both, so that a
// token costs one position. Its model is one of AssembleSeq2Seq.
type TargetContinuer struct {
	model  *Seq2Seq
	in     Pair // its target is read so far
	cache  nn.Cache
	memory *tensor.T // nil: the source was not read yet
}

// NewTargetContinuer starts an empty target of a source.
func NewTargetContinuer(m *Seq2Seq, source Pair) *TargetContinuer {
	source.Target = nil
	return &TargetContinuer{model: m, in: source}
}

// Len is how many tokens of the target were read.
func (c *TargetContinuer) Len() int { return len(c.in.Target) }

// Read reads more tokens of the target, at least one, and gives the scores [1,V] of those that may come next. The pass
// is used for this alone: it must be fresh, or have been Reset. What it shows is of the decoder.
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
