package engine

import (
	"context"
	"slices"

	"attnatlas/engine/ad"
	"attnatlas/engine/attention"
	"attnatlas/engine/encoder"
	"attnatlas/engine/fault"
	"attnatlas/engine/messages"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
	"attnatlas/engine/tokenizer"
	"attnatlas/engine/trace"
)

// attendedMap is the map that Attend hands out.
const attendedMap = "weights"

// Attended is a text of which a model gives away its attention.
type Attended struct {
	Tokens        []tokenizer.Token
	Layers, Heads int
}

// Bytes is what a pass takes, which holds the maps of two layers at a time.
func (a Attended) Bytes() int64 {
	n := int64(len(a.Tokens))
	return 2*int64(a.Heads)*n*n*4 + n*passBytes
}

// Attend reads a text, or the ids of tokens, with one model, and hands out the attention [H,N,N] of layer after layer.
// It keeps none of it. Begin hears before the pass what there will be; its error is returned, and so is that of layer.
func (e *Engine) Attend(ctx context.Context, id, text string, ids []int, begin func(Attended) error,
	layer func(number int, weights *tensor.T) error) error {
	entry, stack, ok := Find(id)
	if !ok {
		return e.unknown(id)
	}
	m, err := e.model(id)
	if err != nil {
		return err
	}
	if m.seq2seq != nil || !slices.ContainsFunc(entry.Views, func(v attention.View) bool { return v.Map == attendedMap }) {
		return fault.Errorf(fault.Unsupported, "attention.without", "id", id)
	}
	in, read, err := e.readTokens(m, id, text, ids)
	if err != nil {
		return err
	}
	if n := len(read.Tokens); n > m.config().Longest() {
		return tooLong(m.config(), n)
	}
	read.Layers, read.Heads = m.Config.Layers, m.Config.Heads
	if stack != nil {
		read.Layers = stack.Describe(m.Config).Runs
	}
	if err := begin(read); err != nil {
		return err
	}
	var failed error
	err = e.pass(ctx, func(p *nn.Pass) {
		p.Run = &trace.Run{Only: []string{attendedMap}}
		out := outgoing{run: p.Run, layer: func(number int, weights *tensor.T) error {
			if n := len(read.Tokens); weights.Rank() != 3 || weights.Dim(1) != n || weights.Dim(2) != n {
				return fault.Errorf(fault.Unsupported, "attention.without", "id", id)
			}
			return layer(number, weights)
		}}
		before := p.OnMix
		p.OnMix = func(p *nn.Pass, mixer nn.Mixer, x *ad.Var) {
			before(p, mixer, x)
			if failed = out.send(); failed != nil {
				panic(stopped{failed})
			}
		}
		m.Run(p, in)
		failed = out.send()
	})
	if failed != nil {
		return failed
	}
	return err
}

// readTokens are the tokens of a text, or those of ids.
func (e *Engine) readTokens(m *model, id, text string, ids []int) (in encoder.Input, read Attended, err error) {
	in.Count = 1
	if ids == nil {
		rep := &Report{Text: text}
		rep.Tokens, rep.Segments = e.vocab.EncodePair(text)
		if rep, err = e.textOf(id, rep); err != nil {
			return in, read, err
		}
		in.IDs, read.Tokens = m.ids(rep.Tokens), rep.Tokens
		if m.Config.Types > 1 {
			in.Types = rep.Segments
		}
		return in, read, nil
	}
	in.IDs = ids
	for i, one := range ids {
		if one < 0 || one >= m.Config.Vocab {
			return in, read, fault.Errorf(fault.Invalid, "attention.id", "id", one, "words", m.Config.Vocab)
		}
		piece := e.speller(m).Piece(one)
		read.Tokens = append(read.Tokens, tokenizer.Token{ID: one, Piece: piece, Text: piece, Start: i, End: i + 1})
	}
	if len(ids) == 0 {
		return in, read, &fault.Error{Kind: fault.Invalid, Msg: messages.New("error.no-words")}
	}
	return in, read, nil
}

// outgoing hands out the maps of layers that are complete, and forgets them.
type outgoing struct {
	run   *trace.Run
	sent  int
	layer func(number int, weights *tensor.T) error
}

// send hands out what has come since it was called last.
func (o *outgoing) send() error {
	for o.sent < len(o.run.Parts) {
		part := o.run.Parts[o.sent]
		shown, ok := part.Find(attendedMap)
		if !ok {
			return nil
		}
		part.Steps = nil
		o.sent++
		if err := o.layer(o.sent, shown.Value); err != nil {
			return err
		}
	}
	return nil
}
