package encoder

import (
	"slices"

	"attnatlas/engine/ad"
	"attnatlas/engine/nn"
	"attnatlas/engine/trace"
)

// Wanted lists the outputs of a batch that the heads read.
type Wanted struct {
	At      []int // positions, out of B·N, whose words are predicted
	Classes bool  // whether the input of the classifiers is needed too
}

// Read is the part of a batch's output that the heads read.
type Read struct {
	Words  *ad.Var // [M,d], one row for each of Wanted.At
	Pooled *ad.Var // [B,d]; nil unless Wanted.Classes
}

// partial is a stack that can skip outputs that are not read.
type partial interface {
	// ApplyAt returns the rows at, out of B·N, of the result of Apply: x [B,N,d] → [M,d].
	ApplyAt(p *nn.Pass, x *ad.Var, at []int) *ad.Var
}

// Read runs the stack on a batch like Run, and picks the rows that the heads read. If the stack allows it, Read skips
// computations that only other rows need.
func (m *Model) Read(p *nn.Pass, in Input, w Wanted) Read {
	if w.Classes && m.Config.Pooling == Attention {
		x := m.Run(p, in)
		return Read{Words: ad.Rows(x, w.At), Pooled: m.Pool(p, x)}
	}
	at := w.At
	if w.Classes {
		at = slices.Concat(at, firstPositions(len(in.IDs), in.Count))
	}
	x := m.runAt(p, in, at) // [M,d] or [M+B,d]
	read := Read{Words: ad.Slice(x, -2, 0, len(w.At))}
	if w.Classes {
		read.Pooled = m.pooled(p, ad.Slice(x, -2, len(w.At), len(at)))
	}
	return read
}

// firstPositions returns the first positions of count sequences with n positions in all.
func firstPositions(n, count int) []int {
	at := make([]int, count)
	for b := range at {
		at[b] = b * n / count
	}
	return at
}

// runAt is Run for the rows at, out of B·N, only → [M,d].
func (m *Model) runAt(p *nn.Pass, in Input, at []int) *ad.Var {
	s, ok := m.stack.(partial)
	if !ok || p.Watched() || 2*len(at) > len(in.IDs) {
		return ad.Rows(m.Run(p, in), at)
	}
	p, x := m.embedded(p, in)
	return s.ApplyAt(p, x, at)
}

// Guess scores the vocabulary for rows of an encoded batch: h [M,d] → logits [M,V].
func (m *Model) Guess(p *nn.Pass, h *ad.Var) *ad.Var {
	scores, tex := m.word.scores(p, h)
	return p.Step("word scores", tex, trace.Activation, scores, trace.Token, trace.Slot)
}

// scores returns the scores [M,V] of the vocabulary for the rows h [M,d], and their formula.
func (w Scorer) scores(p *nn.Pass, h *ad.Var) (scores *ad.Var, tex string) {
	h, bias := w.apply(p, h) // [M,E]
	tex = `gE^\top`
	if bias != nil {
		tex += ` + b`
	}
	scores = ad.Linear(h, p.Use(w.Words), bias) // [M,V]
	if w.Finish != nil {
		scores = w.Finish(scores)
	}
	return scores, tex
}

// GuessLoss returns the cross-entropy of Guess for the right words, averaged over the rows h [M,d].
func (m *Model) GuessLoss(p *nn.Pass, h *ad.Var, words []int) *ad.Var {
	h, bias := m.word.apply(p, h) // [M,E]
	return ad.LinearCrossEntropy(h, p.Use(m.word.Words), bias, words)
}

// Words applies Guess to the chosen positions of an encoded batch: x [B,N,d] and indices into its
// B·N positions → logits [M,V].
func (m *Model) Words(p *nn.Pass, x *ad.Var, at []int) *ad.Var { return m.Guess(p, ad.Rows(x, at)) }

// Pool returns the input of the classifiers: x [B,N,d] → tanh(W·x_[CLS] + b) [B,d] of the first position (Devlin et
// al. 2018), or a weighted sum of all words.
func (m *Model) Pool(p *nn.Pass, x *ad.Var) *ad.Var {
	if m.Config.Pooling == Attention {
		return m.weigh.Apply(p, x) // [B,d]
	}
	return m.pooled(p, ad.Rows(x, firstPositions(x.Dim(0)*x.Dim(1), x.Dim(0))))
}

// pooled is Pool for the first positions h [B,d].
func (m *Model) pooled(p *nn.Pass, h *ad.Var) *ad.Var {
	return p.Step("pooled text", `\tanh(W_ph_1 + b_p)`, trace.Activation, ad.Tanh(m.pool.Apply(p, h)), trace.Channel)
}

// Class scores the classes of task t for a result of Pool or Read: [B,d] → [B,C].
func (m *Model) Class(p *nn.Pass, pooled *ad.Var, t int) *ad.Var {
	return m.classify[t].Apply(p, pooled)
}

// Classify scores the classes of task t for every sequence: x [B,N,d] → [B,C].
func (m *Model) Classify(p *nn.Pass, x *ad.Var, t int) *ad.Var {
	if m.classifiers != nil {
		return m.classifiers[t](p, x)
	}
	return m.Class(p, m.Pool(p, x), t)
}

// Classifies reports whether the model has its own classifiers, for which Pool and Class do not work.
func (m *Model) Classifies() bool { return m.classifiers != nil }

// Guesses reports whether the model scores words.
func (m *Model) Guesses() bool { return m.word.Words != nil }
