package encoder

import (
	"attnatlas/engine/ad"
	"attnatlas/engine/attention"
	"attnatlas/engine/messages"
	"attnatlas/engine/nn"
)

// Continuer reads a text token by token with a model that predicts the next word. It caches the
// results for earlier tokens, so that each new token costs one position instead of the whole text.
// A model whose mechanism has no cache reads the whole text for every token; the scores are the
// same up to rounding.
type Continuer struct {
	model *Model
	cache *nn.Cache // nil: every token needs the whole text
	ids   []int     // read so far
}

// NewContinuer starts an empty text. It fails if the model predicts something other than the next word.
func NewContinuer(m *Model) (*Continuer, error) {
	if m.Config.Objective != NextWord {
		return nil, messages.Errorf("model.continue", "model", quote(m.Config.ID()))
	}
	c := &Continuer{model: m}
	if mixer, ok := attention.Find(m.Config.Mechanism); ok && mixer.Cached &&
		(m.Config.Stack == GPT2.ID || m.Config.bounded) {
		c.cache = &nn.Cache{}
	}
	return c, nil
}

// Len returns the number of tokens read so far.
func (c *Continuer) Len() int { return len(c.ids) }

// Read reads at least one more token and returns the scores [1,V] of the next word. The pass must be fresh or reset,
// and must not be used for anything else. The whole text must not exceed the model's longest text.
func (c *Continuer) Read(p *nn.Pass, ids ...int) *ad.Var {
	if c.cache == nil {
		c.ids = append(c.ids, ids...)
		return c.scores(p, Input{IDs: c.ids, Count: 1})
	}
	p.Cache = c.cache
	if len(c.ids) == 0 {
		c.cache.Begin()
		c.ids = append(c.ids, ids...)
		return c.scores(p, Input{IDs: ids, Count: 1})
	}
	var scores *ad.Var
	for _, id := range ids {
		c.cache.Begin()
		scores = c.scores(p, Input{IDs: []int{id}, Count: 1, From: len(c.ids)})
		c.ids = append(c.ids, id)
	}
	return scores
}

// scores returns the scores after the last token of the input.
func (c *Continuer) scores(p *nn.Pass, in Input) *ad.Var {
	return c.model.Words(p, c.model.Run(p, in), []int{len(in.IDs) - 1})
}

// Keep removes all tokens after the first n.
func (c *Continuer) Keep(n int) {
	c.ids = c.ids[:n]
	if c.cache != nil {
		c.cache.Keep(n)
	}
}
