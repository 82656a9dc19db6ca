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

// MostExplained is the most tokens of a prepared text: explain and unroll keep the arrays of every layer.
const MostExplained = 128

// Prepared is a model with one text that it can read. The packages explain and unroll start from it.
type Prepared struct {
	Entry   *attention.Entry
	Info    ModelInfo
	Text    *Report          // with tokens and segments, and without mechanisms
	Model   *encoder.Model   // nil for an encoder–decoder
	Seq2Seq *encoder.Seq2Seq // nil for other models

	engine  *Engine
	model   *model
	request Request
	cuts    func(layer int) *nn.Cut
}

// Prepare finds the model of a request's first mechanism and tokenizes the text. The error says why there is no
// model, or why its pass over this text cannot be analysed.
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

// Explainable tokenizes a text, or returns why no model's pass over it can be analysed.
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

// Config returns the configuration of the model.
func (p *Prepared) Config() encoder.Config { return p.model.config() }

// Vocabulary returns the engine's own vocabulary.
func (p *Prepared) Vocabulary() *tokenizer.Vocabulary { return p.engine.vocab }

// Speller returns the Speller of the model's vocabulary.
func (p *Prepared) Speller() predict.Speller { return p.engine.speller(p.model) }

// Input returns the input of a model with one stack of layers.
func (p *Prepared) Input() encoder.Input {
	in := encoder.Input{Count: 1, IDs: p.model.ids(p.Text.Tokens)}
	if p.Model.Config.Types > 1 {
		in.Types = p.Text.Segments
	}
	return in
}

// Source returns the input of an encoder–decoder: the text and the task. Its target is empty.
func (p *Prepared) Source() (encoder.Pair, error) { return p.model.source(p.Text, p.request) }

// Write lets an encoder–decoder write by greedy decoding, and returns the written ids.
func (p *Prepared) Write(ctx context.Context, pass *nn.Pass, in encoder.Pair) ([]int, error) {
	written, err := p.model.write(ctx, p.engine.vocab, pass, in, mostWritten)
	if err != nil {
		return nil, Stopped(err)
	}
	return written, nil
}

// Opening returns the id of the token with which an encoder–decoder begins to write.
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

// FollowedWord returns the position, from 1, of the token whose prediction is shown by default: the first masked
// token, else the first word. In a model that predicts the next token, it is the last token but one.
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

// Stopped returns the error of a computation whose context ended.
func Stopped(cause error) error {
	return &fault.Error{Kind: fault.Busy, Msg: messages.New("error.stopped"), Err: cause}
}
