package encoder

import (
	"context"
	"fmt"
	"math"

	"attnatlas/engine/ad"
	"attnatlas/engine/attention"
	"attnatlas/engine/messages"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
	"attnatlas/engine/trace"
)

// Seq2Seq is a sequence-to-sequence model, an encoder–decoder between embeddings and a head: it
// generates a target text from a source text. One table of words serves source, target and,
// transposed, the head. Input embeddings are scaled by √d (Vaswani et al. 2017, sec. 3.4), and
// positions are sinusoids (sec. 3.5). If there are several tasks, the embedding of the task is
// added to every word of the source.
//
// Models from other programs, made by AssembleSeq2Seq, have their own embeddings and heads.
type Seq2Seq struct {
	Config        Config
	Params        []*nn.Param
	source        func(p *nn.Pass, in Pair) *ad.Var // input of the encoder [B,M,d]
	target        func(p *nn.Pass, in Pair) *ad.Var // input of the decoder [B,N,d]
	stacks        *EncoderDecoderStack
	word          Scorer
	decoderLayers int
	decoderHeads  int
}

// Pair is a batch of sources and of the known parts of their targets.
type Pair struct {
	Source, Target       []int   // [B·M], [B·N]
	Count                int     // B
	From                 int     // position of the target's first word, if a cache holds earlier ones
	Task                 int     // index in Config.Tasks
	SourceMask, TextMask nn.Mask // padding of the source and of the target
}

// NewSeq2Seq builds a model with the mechanism that the configuration names.
func NewSeq2Seq(c Config, seed uint64) (*Seq2Seq, error) {
	entry, ok := attention.Find(c.Mechanism)
	if !ok {
		return nil, messages.Errorf("model.mechanism", "mechanism", quote(c.Mechanism))
	}
	if reason := entry.Masks.NoCausal; !reason.IsZero() {
		return nil, messages.Errorf("model.decoder", "mechanism", entry.ID, "why", reason)
	}
	return NewSeq2SeqWith(c, seed, entry.New)
}

// NewSeq2SeqWith builds a model around any mixer.
func NewSeq2SeqWith(c Config, seed uint64, mixer Builder) (*Seq2Seq, error) {
	if err := c.check(&EncoderDecoder); err != nil {
		return nil, err
	}
	if len(c.Tasks) == 0 || c.Length < 1 {
		return nil, messages.Errorf("model.tasks", "tasks", len(c.Tasks), "length", c.Length)
	}
	if c.Positions != "" && c.Positions != Sinusoidal {
		return nil, messages.Errorf("model.waves", "waves", quote(Sinusoidal), "given", quote(c.Positions))
	}
	s := c.scope(seed)
	words := s.Param("words", nn.Normal(1/math.Sqrt(float64(c.Width))), c.Vocab, c.Width).NoDecay()
	tasks := s.Param("tasks", nn.Normal(1), len(c.Tasks), c.Width).NoDecay()
	stacks, err := NewEncoderDecoderStack(s, c, observe(mixer))
	if err != nil {
		return nil, err
	}
	e := scaledWords{c, words, c.waves(Sinusoids, c.Length, c.Width)}
	return &Seq2Seq{
		Config: c, Params: s.Params(), stacks: stacks, word: Scorer{Words: words}, decoderLayers: c.decoderLayers(),
		decoderHeads: c.Heads,
		source: func(p *nn.Pass, in Pair) *ad.Var {
			x := e.embed(p, in.Source, in.Count) // [M,d]
			task := make([]int, len(in.Source))
			for i := range task {
				task[i] = in.Task
			}
			return ad.Add(x, ad.Reshape(ad.Rows(p.Use(tasks), task), x.Shape()...)) // [M,d]
		},
		target: func(p *nn.Pass, in Pair) *ad.Var { return e.embed(p, in.Target, in.Count) },
	}, nil
}

// DecoderLayers returns the number of layers of the decoder.
func (m *Seq2Seq) DecoderLayers() int { return m.decoderLayers }

// DecoderHeads returns the number of heads of a decoder layer.
func (m *Seq2Seq) DecoderHeads() int { return m.decoderHeads }

// Vocabulary returns the number of words that the decoder scores.
func (m *Seq2Seq) Vocabulary() int { return m.word.Words.Value.Dim(0) }

// Guesses reports whether the model scores words.
func (m *Seq2Seq) Guesses() bool { return m.word.Words != nil }

// Run returns the decoder's output for every position of the target: [B,N,d].
func (m *Seq2Seq) Run(p *nn.Pass, in Pair) *ad.Var {
	return m.Decode(p, in, m.Encode(p, in))
}

// Encode returns the memory [B,M,d].
func (m *Seq2Seq) Encode(p *nn.Pass, in Pair) *ad.Var {
	return m.stacks.Encode(p.WithMask(in.SourceMask), m.source(p, in))
}

// Decode runs the decoder with a memory [B,M,d] of Encode: [B,N,d]. Words of the source that are
// blocked in the encoder are blocked in cross-attention too. Blocked cells and heads concern only
// the encoder.
func (m *Seq2Seq) Decode(p *nn.Pass, in Pair, memory *ad.Var) *ad.Var {
	source := in.SourceMask
	if p.Cuts != nil {
		source.Cut = p.Cuts(0)
	}
	return m.stacks.Decode(p.WithMask(in.TextMask), m.target(p, in), memory, source)
}

// Words scores the vocabulary at the chosen positions of y [B,N,d] → [K,V].
func (m *Seq2Seq) Words(p *nn.Pass, y *ad.Var, at []int) *ad.Var {
	scores, _ := m.word.scores(p, ad.Rows(y, at))
	return scores
}

// scaledWords computes the embeddings √d·word + position of both texts.
type scaledWords struct {
	Config
	words     *nn.Param // [V,d]
	positions *tensor.T // [L,d]
}

// embed returns √d·word + position: [B,N,d].
func (m scaledWords) embed(p *nn.Pass, ids []int, count int) *ad.Var {
	n, d := len(ids)/max(count, 1), m.Width
	if n*count != len(ids) || n > m.Length {
		panic(fmt.Sprintf("encoder: %d ids are not %d sequences of at most %d positions", len(ids), count, m.Length))
	}
	show := func(name, tex string, v *ad.Var) *ad.Var {
		return p.Step(name, tex, trace.Activation, v, trace.Token, trace.Channel) // [N,d]
	}
	x := show("word embeddings", `\sqrt d\,E_{w_i}`,
		ad.Scale(ad.Reshape(ad.Rows(p.Use(m.words), ids), count, n, d), ad.Elem(math.Sqrt(float64(d)))))
	return show("embedding", `X_0`, ad.AddRows(x,
		show("position embeddings", `P_i`, ad.Narrow(p.Tape.Const(m.positions), -2, n))))
}

// Ends are the words that begin and end a generated target, and the largest number of its words.
type Ends struct{ Start, Stop, Limit int }

// Greedy generates the target of one source by greedy decoding. After Start, it appends the word
// with the highest score until that word is Stop, or until there are Limit words. The result
// contains Stop but not Start. Greedy checks the context before every word and returns its error.
func (m *Seq2Seq) Greedy(ctx context.Context, p *nn.Pass, in Pair, at Ends) ([]int, error) {
	memory := m.Encode(p, in)
	in.Target = []int{at.Start}
	for len(in.Target) <= min(at.Limit, m.Config.Length-1) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		next := argmax(m.Words(p, m.Decode(p, in, memory), []int{len(in.Target) - 1}).Value.Data)
		in.Target = append(in.Target, next)
		if next == at.Stop {
			break
		}
	}
	return in.Target[1:], nil
}

func argmax(x []ad.Elem) int {
	top := 0
	for i, v := range x {
		if v > x[top] {
			top = i
		}
	}
	return top
}
