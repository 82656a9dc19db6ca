package encoder

import (
	"fmt"

	"attnatlas/engine/ad"
	"attnatlas/engine/attention"
	"attnatlas/engine/messages"
	"attnatlas/engine/nn"
	"attnatlas/engine/trace"
)

// Model is a stack between embeddings and heads: one that scores the words of
// the vocabulary, whose output weights are the word embeddings, and classifiers
// that read the first position.
type Model struct {
	Config    Config
	Params    []*nn.Param
	embedding embedding
	stack     Stack
	word      wordHead
	pool      nn.Linear           // [d,d] of the classifiers, or [d,2d]
	weigh     nn.AttentionPooling // instead of pool
	classify  []nn.Linear
}

// Input is a batch of sequences of equal length, one after the other.
type Input struct {
	IDs   []int // [B·N]
	Types []int // [B·N], the segment of each token; nil: all in the first
	Count int   // B
	From  int   // the position of the first token, where a cache has those before it
}

// New builds a model of the stack and the mechanism that the configuration
// names. Its first values follow from the seed alone.
func New(c Config, seed uint64) (*Model, error) {
	entry, ok := attention.Find(c.Mechanism)
	if !ok {
		return nil, messages.Errorf("model.mechanism", "mechanism", quote(c.Mechanism))
	}
	if c.Objective == NextWord && !entry.Masks.NoCausal.IsZero() {
		return nil, messages.Errorf("model.next", "mechanism", entry.ID, "why", entry.Masks.NoCausal)
	}
	return NewWith(c, seed, entry.New)
}

// NewWith builds a model around any mixer.
func NewWith(c Config, seed uint64, build Builder) (*Model, error) {
	entry, ok := FindStack(c.Stack)
	if !ok {
		return nil, messages.Errorf("model.stack", "stack", quote(c.Stack))
	}
	if err := c.check(entry); err != nil {
		return nil, err
	}
	if entry.New == nil {
		return nil, fmt.Errorf("encoder: %s reads one text and writes another: NewSeq2Seq makes it", entry.ID)
	}
	s := c.scope(seed)
	m := &Model{Config: c}
	var err error
	if m.embedding, err = newEmbedding(s, c); err != nil {
		return nil, err
	}
	if m.stack, err = entry.New(s, c, observe(build)); err != nil {
		return nil, err
	}
	m.word = newWordHead(s.In("masked word"), c)
	pooled := c.Width
	switch {
	case c.Pooling == Attention:
		pooled, m.weigh = c.output(), nn.NewAttentionPooling(s.In("pooler"), c.output())
	case c.Objective != NextWord || len(c.Tasks) > 0:
		m.pool = nn.NewLinear(s.In("pooler"), "pool", c.output(), c.Width)
	}
	for _, t := range c.Tasks {
		m.classify = append(m.classify, nn.NewLinear(s.In(t.Name), "class", pooled, len(t.Classes)))
	}
	m.Params = s.Params()
	return m, nil
}

// Encode is Run for texts of one segment: ids [B·N] → [B,N,d].
func (m *Model) Encode(p *nn.Pass, ids []int, batch int) *ad.Var {
	return m.Run(p, Input{IDs: ids, Count: batch})
}

// Run runs the stack on a batch → [B,N,d]. What the layers show is listed under
// "layer 1", …. A model that guesses the next word reads backwards only, whatever
// the pass allows.
func (m *Model) Run(p *nn.Pass, in Input) *ad.Var {
	p, x := m.embed(p, in)
	x = m.stack.Apply(p, x) // [N,d]
	return p.Step("output", `H`, trace.Activation, x, trace.Token, trace.Channel)
}

// embed gives the stack's input [B,N,E], and the pass that the stack runs in.
func (m *Model) embed(p *nn.Pass, in Input) (*nn.Pass, *ad.Var) {
	n := len(in.IDs) / in.Count
	if n*in.Count != len(in.IDs) || in.From+n > m.Config.Longest() || in.Types != nil && len(in.Types) != len(in.IDs) {
		panic(fmt.Sprintf("encoder: %d ids and %d segments are not %d sequences of at most %d positions",
			len(in.IDs), len(in.Types), in.Count, m.Config.Longest()))
	}
	if m.Config.Objective == NextWord && in.From == 0 { // one position behind a cache may read all of it
		mask := p.Mask
		mask.Kind = nn.Causal
		p = p.WithMask(mask)
	}
	return p, m.embedding.apply(p, in)
}

// wordHead turns an encoded position into scores of the words.
type wordHead struct {
	guess nn.Linear // [E,d], or [E,2d] where the stack doubles the width
	act   func(*ad.Var) *ad.Var
	norm  nn.LayerNorm // [E]
	bias  *nn.Param    // [V]; nil: the embeddings alone, as in GPT-2
}

func newWordHead(s *nn.Scope, c Config) wordHead {
	if c.Objective == NextWord && c.output() == c.embed() {
		return wordHead{}
	}
	return wordHead{
		guess: nn.NewLinear(s, "guess", c.output(), c.embed()), act: c.activation(),
		norm: nn.NewLayerNorm(s.In("norm"), c.embed(), c.eps()), bias: s.Param("b", nn.Zeros, c.Vocab),
	}
}

// apply maps h [M,d] to what the word embeddings [V,E] are multiplied by, [M,E], and gives the
// bias [V] of the scores or nil.
func (w wordHead) apply(p *nn.Pass, h *ad.Var) (*ad.Var, *ad.Var) {
	if w.bias == nil {
		return h, nil
	}
	h = p.Step("guess hidden", `\mathrm{act}(W_gh + b_g)`, trace.Activation, w.act(w.guess.Apply(p, h)), trace.Token, trace.Channel) // [M,E]
	return p.Step("guess", `g = \mathrm{LN}(\mathrm{act}(W_gh + b_g))`, trace.Activation, w.norm.Apply(p, h), trace.Token, trace.Channel), p.Use(w.bias)
}
