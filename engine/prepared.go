package engine

import (
	"context"
	"slices"

	"attnatlas/engine/attention"
	"attnatlas/engine/encoder"
	"attnatlas/engine/fault"
	"attnatlas/engine/messages"
	"attnatlas/engine/nn"
	"attnatlas/engine/predict"
	"attnatlas/engine/tokenizer"
)

// MostExplained bounds the tokens of a text that is prepared: explain and unroll keep the arrays of every layer.
const MostExplained = 128

// Prepared is a model with one text that it can read. The packages explain and unroll begin with it.
type Prepared struct {
	Entry   *attention.Entry
	Info    ModelInfo
	Text    *Report          // with tokens and segments, and without mechanisms
	Model   *encoder.Model   // nil: it has two stacks
	Seq2Seq *encoder.Seq2Seq // nil: it has one

	engine  *Engine
	model   *model
	request Request
	cuts    func(layer int) *nn.Cut
}

// Prepare finds the model of a request's first mechanism and reads the text. The error says why there is no model, or
// why its pass over this text cannot be taken apart.
func (e *Engine) Prepare(r Request) (*Prepared, error) {
	id := r.Mechanisms[0]
	entry, _, ok := Find(id)
	if !ok {
		return nil, e.unknown(id)
	}
	usual, err := Explainable(e.vocab, r.Text)
	if err != nil {
		return nil, err
	}
	text, err := e.textOf(id, usual)
	if err != nil {
		return nil, err
	}
	if n := len(text.Tokens); n > MostExplained {
		return nil, fault.Errorf(fault.Unsupported, "explain.long", "tokens", n, "most", MostExplained)
	}
	m, err := e.admit(entry, len(text.Tokens), r.Mask)
	if err != nil {
		return nil, err
	}
	if m.seq2seq != nil {
		if err = e.generates(m, text, r); err != nil {
			return nil, err
		}
	}
	cuts, err := cutOf(m, text, r, &Result{ID: id, Entry: entry})
	if err != nil {
		return nil, err
	}
	return &Prepared{
		Entry: entry, Info: m.info, Text: text, Model: m.Model, Seq2Seq: m.seq2seq,
		engine: e, model: m, request: r, cuts: cuts,
	}, nil
}

// Explainable cuts a text into tokens, or says why a pass over it cannot be taken apart, whatever the model.
func Explainable(v *tokenizer.Vocabulary, text string) (*Report, error) {
	if len(text) > MaxTextBytes {
		return nil, fault.Errorf(fault.Invalid, "error.too-many-bytes", "bytes", len(text), "most", MaxTextBytes)
	}
	r := &Report{Text: text}
	r.Tokens, r.Segments = v.EncodePair(text)
	switch n := len(r.Tokens); {
	case n == 2:
		return nil, fault.Errorf(fault.Invalid, "error.no-words")
	case n > MostExplained:
		return nil, fault.Errorf(fault.Unsupported, "explain.long", "tokens", n, "most", MostExplained)
	}
	return r, nil
}

// Config is the configuration of the model.
func (p *Prepared) Config() encoder.Config { return p.model.config() }

// Vocabulary is the vocabulary that the text is tokenized with.
func (p *Prepared) Vocabulary() *tokenizer.Vocabulary { return p.engine.vocab }

// Speller spells the words of the model's vocabulary.
func (p *Prepared) Speller() predict.Speller { return p.engine.speller(p.model) }

// Input returns what a model of one stack reads.
func (p *Prepared) Input() encoder.Input {
	in := encoder.Input{Count: 1, IDs: p.model.ids(p.Text.Tokens)}
	if p.Model.Config.Types > 1 {
		in.Types = p.Text.Segments
	}
	return in
}

// Source returns the input of a model of two stacks: the text and the task. Its target is empty.
func (p *Prepared) Source() (encoder.Pair, error) { return p.model.source(p.Text, p.request) }

// Write lets a model of two stacks write by always taking the likeliest word, and returns the written ids.
func (p *Prepared) Write(ctx context.Context, pass *nn.Pass, in encoder.Pair) ([]int, error) {
	written, err := p.model.write(ctx, p.engine.vocab, pass, in, mostWritten)
	if err != nil {
		return nil, Stopped(err)
	}
	return written, nil
}

// Opening is the id that a model of two stacks begins to write behind.
func (p *Prepared) Opening() int { return p.model.opening(p.engine.vocab) }

// Run waits for its turn and calls do with a pass that has the mask and the cuts of the request.
func (p *Prepared) Run(ctx context.Context, do func(*nn.Pass) error) error {
	return protect(func() (err error) {
		ran := p.engine.pass(ctx, func(pass *nn.Pass) {
			p.Begin(pass)
			err = do(pass)
		})
		if ran != nil {
			return ran
		}
		return err
	})
}

// RunOn is Run with a pass of the caller, which has no mask and no cuts until Begin.
func (p *Prepared) RunOn(ctx context.Context, pass *nn.Pass, do func(*nn.Pass) error) error {
	return protect(func() (err error) {
		ran := p.engine.passIn(ctx, pass, func(pass *nn.Pass) { err = do(pass) })
		if ran != nil {
			return ran
		}
		return err
	})
}

// Begin gives a pass the mask and the cuts of the request.
func (p *Prepared) Begin(pass *nn.Pass) { begin(pass, p.request.Mask, p.cuts) }

// Learned reports whether the model has learned a task of its classifier, and whether the text fits the task.
func (p *Prepared) Learned(task encoder.Task) bool {
	_, learned := p.Info.Score[task.Name]
	return (learned || p.model.words != nil && len(task.Classes) > 0) && (!task.Pair || p.Text.Segments != nil)
}

// FollowedWord is the position, from 1, of the word whose guess is shown by default: the first hidden word, else the
// first word. A model that predicts the next word is followed to the last.
func (p *Prepared) FollowedWord() int {
	tokens := p.Text.Tokens
	if p.Config().Objective == encoder.NextWord {
		return len(tokens) - 1
	}
	mask := p.engine.vocab.MASK()
	if at := slices.IndexFunc(tokens, func(t tokenizer.Token) bool { return t.ID == mask }); at >= 0 {
		return at + 1
	}
	return 2
}

// Stopped is the error of a computation whose context ended.
func Stopped(cause error) error {
	return &fault.Error{Kind: fault.Busy, Msg: messages.New("error.stopped"), Err: cause}
}
