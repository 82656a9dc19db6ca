package huggingface

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"attnatlas/engine/ad"
	"attnatlas/engine/encoder"
	"attnatlas/engine/nn"
	"attnatlas/engine/trace"
)

func layerName(l int) string { return fmt.Sprintf("layer %d", l+1) }

// pooler computes one vector for a text from its first token.
type pooler struct {
	pool nn.Linear
	act  func(*ad.Var) *ad.Var
}

// Pooled returns the pooler's output [B,d] for an encoded text [B,N,d], or nil if the model has no
// pooler.
func (m *Model) Pooled(p *nn.Pass, x *ad.Var) *ad.Var {
	if m.pooler == nil {
		return nil
	}
	return p.Step("pooled text", `\mathrm{act}(W_ph_1 + b_p)`, trace.Activation,
		m.pooler.act(m.pooler.pool.Apply(p, firstOf(x))), trace.Channel)
}

// firstOf returns the first positions [B,d] of x [B,N,d].
func firstOf(x *ad.Var) *ad.Var {
	return ad.Reshape(ad.Narrow(x, -2, 1), x.Dim(0), x.Dim(-1))
}

// scorer returns the output layer with the logits, or nil if the class or the file has none.
func (b *builder) scorer(words *nn.Param) *encoder.Scorer {
	f := &b.Form
	named := slices.ContainsFunc(b.Words, func(end string) bool { return strings.HasSuffix(b.Class, end) })
	if len(b.Words) > 0 && !named || len(b.Words) == 0 && !b.has("masked word", "bias") &&
		!b.has("masked word/scores", "bias") {
		return nil
	}
	s := &encoder.Scorer{Words: words, Finish: f.finish()}
	if _, ok := b.place("masked word/guess", "weight"); ok {
		guess := b.linear("masked word/guess", f.embed(), f.Width)
		s.Guess, s.Act, s.Norm = &guess, b.activation(f.GuessAct, f.Act), b.norm("masked word/norm", f.embed())
	}
	for _, from := range []string{"masked word/scores", "masked word"} { // without ties they differ
		if b.has(from, "bias") {
			s.Bias = b.row("masked word/b", from, "bias", f.Vocab)
			break
		}
	}
	if b.has("masked word/scores", "weight") {
		s.Words = b.param("masked word/W", "masked word/scores", "weight", f.Vocab, f.embed())
		if s.Words != nil {
			s.Words.NoDecay()
		}
	}
	b.factor(s.Words)
	for _, repeated := range []string{"masked word", "masked word/scores"} { // files can have the bias under two names
		if name, _, _, ok := b.tensor(repeated, "bias"); ok {
			b.used[name] = true
		}
	}
	return s
}

// finish returns a function that scales and caps logits, or nil if they stay unchanged.
func (f *Form) finish() func(*ad.Var) *ad.Var {
	scale := cmp.Or(f.LogitScale, 1) / cmp.Or(f.LogitDivisor, 1)
	if f.RootLogits {
		scale /= math.Sqrt(float64(f.Width))
	}
	if scale == 1 && f.LogitCap == 0 {
		return nil
	}
	return func(x *ad.Var) *ad.Var {
		x = ad.Scale(x, ad.Elem(scale))
		if f.LogitCap > 0 {
			x = ad.Scale(ad.Tanh(ad.Scale(x, ad.Elem(1/f.LogitCap))), ad.Elem(f.LogitCap))
		}
		return x
	}
}

// present returns the heads that both the class and the file have.
func (b *builder) present() []outputHead {
	return slices.DeleteFunc(b.heads(), func(h outputHead) bool {
		return !b.has(h.Name+"/class", "weight") || h.Reads == "pooled" && !b.has("pooler/pool", "weight")
	})
}

// labelsOf returns the labels of a head's classes: its own, those of config.json, or numbers.
func (b *builder) labelsOf(h outputHead) []string {
	_, _, t, _ := b.tensor(h.Name+"/class", "weight")
	count := 0
	if len(t.Shape) == 2 {
		count = t.Shape[0]
	}
	for _, labels := range [][]string{h.Labels, b.Labels} {
		if len(labels) == count {
			return labels
		}
	}
	numbers := make([]string, count)
	for i := range numbers {
		numbers[i] = fmt.Sprintf("LABEL_%d", i)
	}
	return numbers
}

// classifier returns the function of a head: [B,N,d] → [B,C], or [B,N,C] for a head that scores
// every token.
func (b *builder) classifier(h outputHead, m *Model) func(p *nn.Pass, x *ad.Var) *ad.Var {
	f := &b.Form
	var dense nn.Linear
	var norm nn.LayerNorm
	if h.Act != "" {
		dense = b.linear(h.Name+"/dense", f.Width, f.Width)
		norm = b.norm(h.Name+"/norm", f.Width)
	}
	act := b.activation(map[string]string{"form": f.Act, "guess": f.GuessAct}[h.Act], h.Act)
	class, reads := b.linear(h.Name+"/class", len(b.labelsOf(h)), f.Width), h.Reads
	if reads == "form" {
		reads = map[string]string{"cls": "first", "mean": "mean"}[f.Pooling]
	}
	return func(p *nn.Pass, x *ad.Var) *ad.Var {
		switch reads {
		case "pooled":
			x = m.Pooled(p, x)
		case "first":
			x = firstOf(x)
		case "last":
			x = ad.Reshape(ad.Slice(x, -2, x.Dim(-2)-1, x.Dim(-2)), x.Dim(0), x.Dim(-1))
		case "mean":
			x = ad.Reshape(ad.MeanPool(x, []ad.Span{{From: 0, To: x.Dim(-2)}}, nil), x.Dim(0), f.Width)
		}
		if dense.W != nil {
			x = norm.Apply(p, act(dense.Apply(p, x)))
		}
		return class.Apply(p, x)
	}
}
