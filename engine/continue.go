package engine

import (
	"context"
	"unsafe"

	"attnatlas/engine/encoder"
	"attnatlas/engine/fault"
	"attnatlas/engine/messages"
	"attnatlas/engine/nn"
	"attnatlas/engine/predict"
	"attnatlas/engine/tensor"
	"attnatlas/engine/tokenizer"
)

// ownWriter is a predict.Writer for the engine's own vocabulary.
type ownWriter struct{ *tokenizer.Vocabulary }

func (w ownWriter) Ends() []int     { return []int{w.SEP()} }
func (w ownWriter) Specials() []int { return []int{w.PAD(), w.UNK(), w.CLS(), w.MASK()} }

// checkContinue returns an error if a request is invalid.
func checkContinue(r predict.Continue) error {
	if len(r.Text) > MaxTextBytes {
		return fault.Errorf(fault.Invalid, "error.too-many-bytes", "bytes", len(r.Text), "most", MaxTextBytes)
	}
	return r.Check()
}

// Continue lets the model of an id continue a text. The error is NotFound if there is no such model, Unsupported if
// it does not predict next tokens or the text is too long for it, and Invalid if the request is malformed.
func (e *Engine) Continue(ctx context.Context, id string, r predict.Continue) (*predict.Continuation, error) {
	if err := checkContinue(r); err != nil {
		return nil, err
	}
	w, c, err := e.writing(id, r)
	if err == nil {
		err = e.pass(ctx, func(p *nn.Pass) { c.Write(p, w, func(p *nn.Pass) { renew(ctx, p) }) })
	}
	if err != nil {
		return nil, err
	}
	return c, nil
}

// Continues reports whether the model of an id continues texts, as far as is known without opening it.
func (e *Engine) Continues(id string) bool {
	if g := FindGuest(id); g != nil {
		return g.Causal != nil && g.Causal() || g.Stack() != nil
	}
	_, stack, ok := Find(id)
	_, err := e.Info(id)
	return ok && err == nil && stack != nil && stack.Objective == encoder.NextWord
}

// writing opens a model and encodes the text to continue.
func (e *Engine) writing(id string, r predict.Continue) (w predict.Writing, c *predict.Continuation, err error) {
	m, err := e.model(id)
	if err != nil {
		return w, nil, err
	}
	unable := fault.Errorf(fault.Unsupported, "error.continue.objective", "model", messages.Quote(id))
	if m.seq2seq != nil && m.words != nil {
		return e.translating(m, r)
	}
	if m.Model == nil || !m.Guesses() {
		return w, nil, unable
	}
	reader, err := encoder.NewContinuer(m.Model)
	if err != nil {
		return w, nil, unable
	}
	w = predict.Writing{Continue: r, Length: m.Config.Length, Reader: reader, Speller: e.vocab,
		Writer: ownWriter{e.vocab}, Forced: -1}
	c = &predict.Continuation{}
	if m.words == nil {
		c.Tokens, _ = e.vocab.EncodePair(r.Text)
	} else {
		writer, ok := m.words.(predict.Writer)
		if !ok {
			return w, nil, unable
		}
		w.Speller, w.Writer = m.words, writer
		text, err := m.reportOf(r.Text)
		if err != nil {
			return w, nil, err
		}
		c.Tokens = text.Tokens
	}
	if n := len(c.Tokens) - 1; n > 0 && c.Tokens[n].ID == e.vocab.SEP() { // it would end the text
		c.Tokens = c.Tokens[:n]
	}
	w.IDs = m.ids(c.Tokens)
	switch n := len(c.Tokens); {
	case n == 0:
		return w, nil, fault.Errorf(fault.Invalid, "error.no-words")
	case n >= w.Length:
		return w, nil, fault.Errorf(fault.Unsupported, "error.continue.long", "tokens", n, "most", w.Length-1)
	}
	return w, c, m.affordable(len(c.Tokens))
}

// translating opens an encoder–decoder that reads a text and writes another.
func (e *Engine) translating(m *model, r predict.Continue) (w predict.Writing, c *predict.Continuation, err error) {
	text, err := m.reportOf(r.Text)
	if err != nil {
		return w, nil, err
	}
	if err := e.generates(m, text, Request{}); err != nil {
		return w, nil, err
	}
	n, length := len(text.Tokens), m.config().Length
	switch {
	case n == 0:
		return w, nil, fault.Errorf(fault.Invalid, "error.no-words")
	case n > length:
		return w, nil, fault.Errorf(fault.Unsupported, "error.continue.long", "tokens", n, "most", length)
	}
	own, _ := m.words.(predict.Writer)
	w = predict.Writing{Continue: r, Length: length, Speller: m.words, Writer: m.target.Over(own), Pair: true,
		Forced: m.target.Forced, IDs: []int{m.target.Start}, Reader: encoder.NewTargetContinuer(m.seq2seq,
			encoder.Pair{Count: 1, Source: m.ids(text.Tokens)})}
	c = &predict.Continuation{Tokens: text.Tokens, Begins: w.Piece(m.target.Start)}
	return w, c, m.affordable(n)
}

// ContinueCost returns an upper estimate for predict.Continue, without running anything. Refused requests cost nothing.
func (e *Engine) ContinueCost(id string, r predict.Continue) Cost {
	info, err := e.Info(id)
	if checkContinue(r) != nil || err != nil {
		return Cost{}
	}
	n, vocabulary := e.vocab.Count(r.Text), e.vocab.Size()
	var pair *encoder.Seq2Seq
	if g := FindGuest(id); g != nil {
		m, err := g.model()
		if err != nil {
			return Cost{}
		}
		if n, err = g.count(r.Text); err != nil {
			return Cost{}
		}
		vocabulary, pair = m.config().Vocab, m.seq2seq
	}
	if n > info.Length {
		return Cost{}
	}
	entry, _, _ := Find(id)
	d, mixer := float64(info.Width), MixerOf(info)
	one, layers, begun, source := e.costOf(id, n, Request{Text: r.Text}), info.Layers, n, 0
	inLayer, heads := encoder.RestFLOPs*d*d, info.Heads
	if pair != nil { // the decoder begins a text of its own and also reads the source
		one, layers, begun, source = costOfPass(entry, nil, info, n, Request{}), pair.DecoderLayers(), 0, n
		vocabulary, heads = pair.Vocabulary(), pair.DecoderHeads()
		mixer.Heads = heads
		cross := float64(entry.FLOPs(mixer, source))
		one.Operations += float64(layers) * cross // keys and values of the source
		inLayer += cross / float64(max(source, 1))
	}
	all, most := min(info.Length, begun+2*(r.Words+1)), min(info.Length,
		begun+predict.MostWordPieces*(r.Words+1)) // tokens, usually and at most
	inLayer += float64(entry.FLOPs(mixer, all)) / float64(all)
	const size = int64(unsafe.Sizeof(tensor.Elem(0)))
	kept := int64(most-begun) * int64(heads*(most+source)) * size
	if r.Layer == 0 {
		kept *= int64(layers)
	}
	cache := int64(2*(most+source)*layers*info.Width) * size
	return Cost{
		Operations: one.Operations + float64(all-begun)*(float64(layers)*inLayer+2*d*float64(vocabulary)),
		Bytes:      one.Bytes + int64(n)*passBytes + kept + cache + int64(vocabulary)*32,
	}
}
