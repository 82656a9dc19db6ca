package encoder

import (
	"attnatlas/engine/ad"
	"attnatlas/engine/attention"
	"attnatlas/engine/messages"
	"attnatlas/engine/nn"
)

// Continuer reads a text token by token with a model that guesses the next word, and keeps what
// the model computed of the tokens before: a token costs one position, not the whole text
// again. A model whose mechanism keeps nothing reads the whole text for every token; the scores
// are the same up to rounding.
type Continuer struct {
	model *Model
	cache *nn.Cache // nil: every token needs the whole text
	ids   []int     // read so far
}

// NewContinuer starts an empty text. The error is that the model guesses something else than
// the next word.
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

// Len is how many tokens were read.
func (c *Continuer) Len() int { return len(c.ids) }

// Read reads more tokens, at least one, and gives the scores [1,V] of the words that may come
// next. The pass is used for this alone: it must be fresh, or have been Reset. All tokens
// together are at most as many as the model's longest text.
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

// scores are those behind the last token of the input.
func (c *Continuer) scores(p *nn.Pass, in Input) *ad.Var {
	return c.model.Words(p, c.model.Run(p, in), []int{len(in.IDs) - 1})
}

// Keep forgets all but the first n tokens.
func (c *Continuer) Keep(n int) {
	c.ids = c.ids[:n]
	if c.cache != nil {
		c.cache.Keep(n)
	}
}
