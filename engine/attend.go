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

// attending is how many passes of Attend there are at a time for each slot. Those that wait for clients hold memory.
const attending = 4

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
// Of an encoder–decoder it runs the encoder alone. It keeps none of it. Begin hears before the pass what there will be;
// its error is returned, and so is that of layer. Both can wait for memory or for a client: the pass then has no slot.
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
	if !slices.ContainsFunc(entry.Views, func(v attention.View) bool { return v.Map == attendedMap }) {
		return fault.Errorf(fault.Unsupported, "attention.without", "id", id)
	}
	run, read, err := e.readTokens(m, id, text, ids)
	if err != nil {
		return err
	}
	if n := len(read.Tokens); n > m.config().Longest() {
		return tooLong(m.config(), m.config().Longest(), n)
	}
	read.Layers, read.Heads = m.config().Layers, m.config().Heads
	if stack != nil && m.seq2seq == nil {
		read.Layers = stack.Describe(m.Config).Runs
	}
	if err := take(ctx, e.begun); err != nil {
		return err
	}
	defer func() { <-e.begun }()
	var failed error
	p, turn := e.passes.Get().(*nn.Pass), &lease{ctx: ctx, slots: e.slots}
	defer e.passes.Put(p)
	err = passOn(turn, p, func(p *nn.Pass) {
		if failed = turn.lend(func() error { return begin(read) }); failed != nil {
			return
		}
		p.Brief, p.Run = true, &trace.Run{Only: []string{attendedMap}}
		out := outgoing{run: p.Run, layer: func(number int, weights *tensor.T) error {
			if n := len(read.Tokens); weights.Rank() != 3 || weights.Dim(1) != n || weights.Dim(2) != n {
				return fault.Errorf(fault.Unsupported, "attention.without", "id", id)
			}
			return turn.lend(func() error { return layer(number, weights) })
		}}
		before := p.OnMix
		p.OnMix = func(p *nn.Pass, mixer nn.Mixer, x *ad.Var) {
			before(p, mixer, x)
			if failed = out.send(); failed != nil {
				panic(stopped{failed})
			}
		}
		run(p)
		failed = out.send()
	})
	if failed != nil {
		return failed
	}
	return err
}

// readTokens returns the tokens of a text, or those of ids, and the pass over them.
func (e *Engine) readTokens(m *model, id, text string, ids []int) (run func(*nn.Pass), read Attended, err error) {
	rep := &Report{Text: text}
	if ids == nil {
		rep.Tokens, rep.Segments = e.vocab.EncodePair(text)
		if rep, err = e.textOf(id, rep); err != nil {
			return nil, read, err
		}
		ids, read.Tokens = m.ids(rep.Tokens), rep.Tokens
	} else if read.Tokens, err = e.spelled(m, ids); err != nil {
		return nil, read, err
	}
	if m.seq2seq != nil {
		if rep.Segments != nil {
			return nil, read, fault.Errorf(fault.Unsupported, "error.generation.pair", "mark", tokenizer.PairMark)
		}
		return func(p *nn.Pass) { m.seq2seq.Encode(p, encoder.Pair{Source: ids, Count: 1}) }, read, nil
	}
	in := encoder.Input{IDs: ids, Count: 1}
	if m.Config.Types > 1 {
		in.Types = rep.Segments
	}
	return func(p *nn.Pass) { m.Run(p, in) }, read, nil
}

// spelled returns the tokens of ids. Their places are those in the list.
func (e *Engine) spelled(m *model, ids []int) (all []tokenizer.Token, err error) {
	if len(ids) == 0 {
		return nil, &fault.Error{Kind: fault.Invalid, Msg: messages.New("error.no-words")}
	}
	vocabulary := m.config().Vocab
	for i, one := range ids {
		if one < 0 || one >= vocabulary {
			return nil, fault.Errorf(fault.Invalid, "attention.id", "id", one, "words", vocabulary)
		}
		piece := e.speller(m).Piece(one)
		all = append(all, tokenizer.Token{ID: one, Piece: piece, Text: piece, Start: i, End: i + 1})
	}
	return all, nil
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
