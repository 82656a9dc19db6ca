package encoder

import (
	"fmt"

	"attnatlas/engine/ad"
	"attnatlas/engine/attention"
	"attnatlas/engine/messages"
	"attnatlas/engine/nn"
	"attnatlas/engine/trace"
)

// Model is a stack between embeddings and heads. One head scores the words of the vocabulary, with
// the word embeddings as its output weights. The others are classifiers that read the first
// position.
type Model struct {
	Config   Config
	Params   []*nn.Param
	embed    func(p *nn.Pass, in Input) *ad.Var // [B,N,E]
	stack    Stack
	word     Scorer
	pool     nn.Linear           // [d,d] or [d,2d], the input layer of the classifiers
	weigh    nn.AttentionPooling // used instead of pool with attention pooling
	classify []nn.Linear
	// classifiers, if not nil, score the tasks from all positions and replace classify.
	classifiers []func(p *nn.Pass, x *ad.Var) *ad.Var
}

// Input is a batch of sequences of equal length, one after the other.
type Input struct {
	IDs   []int // [B·N]
	Types []int // [B·N], the segment of each token; nil: all in the first
	Count int   // B
	From  int   // position of the first token, if a cache holds the earlier ones
}

// New builds a model of the stack and the mechanism that the configuration names. Its initial values depend only on
// the seed.
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
	words, err := newEmbedding(s, c)
	if err != nil {
		return nil, err
	}
	m.embed = words.apply
	if m.stack, err = entry.New(s, c, observe(build)); err != nil {
		return nil, err
	}
	m.word = newScorer(s.In("masked word"), c, words.words.Table)
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

// Run runs the stack on a batch → [B,N,d]. The maps of the layers are listed under "layer 1", …. A
// model that predicts the next word always attends only to earlier positions, whatever the mask of
// the pass.
func (m *Model) Run(p *nn.Pass, in Input) *ad.Var {
	p, x := m.embedded(p, in)
	x = m.stack.Apply(p, x) // [N,d]
	return p.Step("output", `H`, trace.Activation, x, trace.Token, trace.Channel)
}

// embedded returns the stack's input [B,N,E], and the pass in which the stack runs.
func (m *Model) embedded(p *nn.Pass, in Input) (*nn.Pass, *ad.Var) {
	n := len(in.IDs) / in.Count
	if n*in.Count != len(in.IDs) || in.From+n > m.Config.Farthest() || in.Types != nil && len(in.Types) != len(in.IDs) {
		panic(fmt.Sprintf("encoder: %d ids and %d segments are not %d sequences of at most %d positions",
			len(in.IDs), len(in.Types), in.Count, m.Config.Farthest()))
	}
	if m.Config.Objective == NextWord && in.From == 0 { // a single position after a cache attends to all earlier ones
		mask := p.Mask
		mask.Kind = nn.Causal
		p = p.WithMask(mask)
	}
	return p, m.embed(p, in)
}

func newScorer(s *nn.Scope, c Config, words *nn.Param) Scorer {
	if c.Objective == NextWord && c.output() == c.embed() {
		return Scorer{Words: words}
	}
	guess := nn.NewLinear(s, "guess", c.output(), c.embed())
	return Scorer{
		Guess: &guess, Act: c.activation(), Words: words,
		Norm: nn.NewLayerNorm(s.In("norm"), c.embed(), c.eps()), Bias: s.Param("b", nn.Zeros, c.Vocab),
	}
}

// apply maps h [M,d] to [M,E], which the caller multiplies by the word embeddings [V,E]. It also
// returns the bias [V] of the scores, or nil.
func (w Scorer) apply(p *nn.Pass, h *ad.Var) (*ad.Var, *ad.Var) {
	var bias *ad.Var
	if w.Bias != nil {
		bias = p.Use(w.Bias)
	}
	if w.Guess == nil {
		return h, bias
	}
	h = p.Step("guess hidden", `\mathrm{act}(W_gh + b_g)`, trace.Activation, w.Act(w.Guess.Apply(p, h)), trace.Token,
		trace.Channel) // [M,E]
	return p.Step("guess", `g = \mathrm{LN}(\mathrm{act}(W_gh + b_g))`, trace.Activation, w.Norm.Apply(p, h), trace.Token,
		trace.Channel), bias
}
