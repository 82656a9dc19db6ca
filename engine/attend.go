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

// attendedMap is the name of the map that Attend delivers.
const attendedMap = "weights"

// attending is the largest number of begun passes of Attend per slot. Passes that wait for clients hold memory.
const attending = 4

// Names of the attention of an encoder–decoder, as in the transformers library.
const (
	EncoderAttentions = "encoder_attentions"
	DecoderAttentions = "decoder_attentions"
	CrossAttentions   = "cross_attentions"
)

// AttendInput is the input of a model for Attend.
type AttendInput struct {
	ID    string // of the model
	Text  string
	IDs   []int // token ids, instead of Text
	Types []int // segments of IDs, from 0; nil: all are 0
	// DecoderText, or DecoderIDs, is the input of an encoder–decoder’s decoder. Without them, only the encoder runs.
	DecoderText string
	DecoderIDs  []int
}

// decodes reports whether there is input for a decoder.
func (in *AttendInput) decodes() bool { return in.DecoderText != "" || in.DecoderIDs != nil }

// Attended describes a text for Attend, and the sizes of its attention maps.
type Attended struct {
	Tokens, Decoder []tokenizer.Token // the decoder's: nil if it does not run
	Parts           []AttendedPart
	Operations      float64 // estimate for the pass
}

// AttendedPart is a sequence of layers of a model, each with maps [Heads,Rows,Keys].
type AttendedPart struct {
	Name                      string // such as EncoderAttentions; empty if the model has only one part
	Layers, Heads, Rows, Keys int
}

// AttendedLayer is the attention map of one layer.
type AttendedLayer struct {
	Part    string // the name of its part
	Number  int    // from 1
	Weights *tensor.T
}

// Bytes returns the memory of a pass, which holds the maps of two layers at once.
func (a Attended) Bytes() int64 {
	layer := map[bool]int64{} // of the encoder, and of the decoder
	for _, p := range a.Parts {
		layer[p.Rows == len(a.Decoder)] += int64(p.Heads) * int64(p.Rows) * int64(p.Keys) * 4
	}
	return 2*max(layer[false], layer[true]) + int64(len(a.Tokens)+len(a.Decoder))*passBytes
}

// AttendOutput receives the results of Attend.
type AttendOutput struct {
	// Begin gets the sizes of all maps before the pass. It may wait for memory.
	Begin func(Attended) error
	// Layer receives the maps, one layer after another.
	Layer func(AttendedLayer) error
	// InTurn runs the pass when its turn comes; Layer must not wait then. Nil: the pass runs at once, and Layer may
	// wait for a client. The pass lends its slot meanwhile, but counts towards the limit of begun passes.
	InTurn func(run func() error) error
}

// Attend runs one model on a text, or on token ids, and delivers the attention maps layer by layer. It keeps none of
// them. It returns the errors of the functions in to.
func (e *Engine) Attend(ctx context.Context, in AttendInput, to AttendOutput) error {
	entry, stack, ok := Find(in.ID)
	if !ok {
		return e.unknown(in.ID)
	}
	m, err := e.model(in.ID)
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(entry.Views, func(v attention.View) bool { return v.Map == attendedMap }) {
		return fault.Errorf(fault.Unsupported, "attention.without", "id", in.ID)
	}
	run, read, err := e.readTokens(m, in)
	if err != nil {
		return err
	}
	for _, tokens := range [][]tokenizer.Token{read.Tokens, read.Decoder} {
		if n := len(tokens); n > m.config().Longest() {
			return tooLong(m.config(), m.config().Longest(), n)
		}
	}
	m.attended(entry, stack, &read)
	handing := handing{engine: e, id: in.ID, parts: read.Parts, run: run, layer: to.Layer}
	if to.InTurn == nil {
		if err := take(ctx, e.begun); err != nil {
			return err
		}
		defer func() { <-e.begun }()
		handing.lends = true
	}
	if err := to.Begin(read); err != nil {
		return err
	}
	if to.InTurn == nil {
		return handing.pass(ctx)
	}
	return to.InTurn(func() error { return handing.pass(ctx) })
}

// attended fills in the parts of a model and the estimated operations for a text.
func (m *model) attended(entry *attention.Entry, stack *encoder.StackEntry, read *Attended) {
	c, n, target := m.config(), len(read.Tokens), len(read.Decoder)
	own := AttendedPart{Layers: c.Layers, Heads: c.Heads, Rows: n, Keys: n}
	if stack != nil && m.seq2seq == nil {
		own.Layers = stack.Describe(m.Config).Runs
	}
	layer := func(n int) float64 {
		return float64(entry.FLOPs(MixerOf(&m.info), n)) + encoder.RestFLOPs*float64(n)*float64(c.Width)*float64(c.Width)
	}
	read.Operations = float64(own.Layers) * layer(n)
	if target == 0 {
		read.Parts = []AttendedPart{own}
		return
	}
	own.Name = EncoderAttentions
	layers, heads := m.seq2seq.DecoderLayers(), m.seq2seq.DecoderHeads()
	read.Parts = []AttendedPart{own, {DecoderAttentions, layers, heads, target, target},
		{CrossAttentions, layers, heads, target, n}}
	read.Operations += float64(layers) * (layer(target) + layer(max(n, target)))
}

// readTokens returns the tokens of a text or of given ids, and the function that runs the model on them.
func (e *Engine) readTokens(m *model, in AttendInput) (run func(*nn.Pass), read Attended, err error) {
	if in.decodes() && m.seq2seq == nil {
		return nil, read, fault.Errorf(fault.Unsupported, "attention.decoder", "id", in.ID)
	}
	ids, types := in.IDs, in.Types
	if ids == nil {
		if ids, types, read.Tokens, err = e.tokensOf(m, in.ID, in.Text); err != nil {
			return nil, read, err
		}
	} else if read.Tokens, err = e.spelled(m, ids, m.config().Vocab); err != nil {
		return nil, read, err
	} else if err = m.checkTypes(types, len(ids)); err != nil {
		return nil, read, err
	}
	if m.seq2seq == nil {
		pass := encoder.Input{IDs: ids, Count: 1}
		if m.Config.Types > 1 {
			pass.Types = types
		}
		return func(p *nn.Pass) { m.Run(p, pass) }, read, nil
	}
	if in.IDs == nil && types != nil {
		return nil, read, fault.Errorf(fault.Unsupported, "error.generation.pair", "mark", tokenizer.PairMark)
	}
	pass := encoder.Pair{Source: ids, Count: 1}
	if !in.decodes() {
		return func(p *nn.Pass) { m.seq2seq.Encode(p, pass) }, read, nil
	}
	if pass.Target, read.Decoder, err = e.target(m, in); err != nil {
		return nil, read, err
	}
	return func(p *nn.Pass) {
		memory := p.Tape.Const(m.seq2seq.Encode(p, pass).Value.Clone()) // layers of the decoder overwrite the encoder's
		m.seq2seq.Decode(p, pass, memory)
	}, read, nil
}

// tokensOf returns the ids and tokens of a text as the model reads it, and their segments if it is a pair.
func (e *Engine) tokensOf(m *model, id, text string) (ids, types []int, tokens []tokenizer.Token, err error) {
	rep := &Report{Text: text}
	rep.Tokens, rep.Segments = e.vocab.EncodePair(text)
	if rep, err = e.textOf(id, rep); err != nil {
		return nil, nil, nil, err
	}
	return m.ids(rep.Tokens), rep.Segments, rep.Tokens, nil
}

// target returns the decoder’s input. A text is shifted right, as in training: the decoder begins with its start
// token and does not read the last token.
func (e *Engine) target(m *model, in AttendInput) (ids []int, tokens []tokenizer.Token, err error) {
	if in.DecoderIDs != nil {
		tokens, err = e.spelled(m, in.DecoderIDs, m.seq2seq.Vocabulary())
		return in.DecoderIDs, tokens, err
	}
	ids, types, tokens, err := e.tokensOf(m, in.ID, in.DecoderText)
	if err != nil {
		return nil, nil, err
	}
	if types != nil {
		return nil, nil, fault.Errorf(fault.Unsupported, "error.generation.pair", "mark", tokenizer.PairMark)
	}
	if m.words == nil { // [CLS] starts both texts
		return ids[:len(ids)-1], tokens[:len(tokens)-1], nil
	}
	opening, err := e.spelled(m, []int{m.target.Start}, m.seq2seq.Vocabulary())
	if err != nil {
		return nil, nil, err
	}
	opening[0].End = 0 // it stands before the text
	last := max(len(ids)-1, 0)
	return append([]int{m.target.Start}, ids[:last]...), append(opening, tokens[:last]...), nil
}

// spelled returns the tokens of ids of a vocabulary. Their positions are those in the list.
func (e *Engine) spelled(m *model, ids []int, vocabulary int) (all []tokenizer.Token, err error) {
	if len(ids) == 0 {
		return nil, &fault.Error{Kind: fault.Invalid, Msg: messages.New("error.no-words")}
	}
	for i, one := range ids {
		if one < 0 || one >= vocabulary {
			return nil, fault.Errorf(fault.Invalid, "attention.id", "id", one, "words", vocabulary)
		}
		piece := e.speller(m).Piece(one)
		all = append(all, tokenizer.Token{ID: one, Piece: piece, Text: piece, Start: i, End: i + 1})
	}
	return all, nil
}

// checkTypes rejects segments if their number differs from ids, or if the model does not have them.
func (m *model) checkTypes(types []int, ids int) error {
	if types != nil && len(types) != ids {
		return fault.Errorf(fault.Invalid, "attention.types-count", "types", len(types), "ids", ids)
	}
	most := max(m.config().Types, 1) - 1
	for _, t := range types {
		if t < 0 || t > most {
			return fault.Errorf(fault.Invalid, "attention.types-range", "type", t, "most", most)
		}
	}
	return nil
}

// handing is a pass that delivers the maps of finished layers and then drops them.
type handing struct {
	engine *Engine
	id     string
	parts  []AttendedPart
	run    func(*nn.Pass)
	layer  func(AttendedLayer) error
	lends  bool // layer may wait; the slot is lent meanwhile

	turn  *lease
	trace *trace.Run
	sent  int // layers
}

// pass runs the model.
func (h *handing) pass(ctx context.Context) error {
	p := h.engine.passes.Get().(*nn.Pass)
	defer h.engine.passes.Put(p)
	h.turn = &lease{ctx: ctx, slots: h.engine.slots}
	var failed error
	err := passOn(h.turn, p, func(p *nn.Pass) {
		h.trace = &trace.Run{Only: []string{attendedMap}}
		p.Brief, p.Run = true, h.trace
		before := p.OnMix
		p.OnMix = func(p *nn.Pass, mixer nn.Mixer, x *ad.Var) {
			before(p, mixer, x)
			if failed = h.send(); failed != nil {
				panic(stopped{failed})
			}
		}
		h.run(p)
		failed = h.send()
	})
	if failed != nil {
		return failed
	}
	return err
}

// send delivers the maps recorded since the last call. A decoder layer has two maps.
func (h *handing) send() error {
	for h.sent < len(h.trace.Parts) {
		layer := h.trace.Parts[h.sent]
		of, maps, number := h.parts[:1], []*trace.Run{layer}, h.sent+1
		if h.sent >= of[0].Layers && len(h.parts) > 1 {
			of, maps, number = h.parts[1:], append(maps, layer.Parts...), number-of[0].Layers
		}
		all := make([]AttendedLayer, len(of))
		for i, part := range of {
			if i == len(maps) {
				return nil
			}
			found, ok := maps[i].Find(attendedMap)
			if !ok {
				return nil
			}
			all[i] = AttendedLayer{part.Name, number, found.Value}
			if s := found.Value.Shape; !slices.Equal(s, []int{part.Heads, part.Rows, part.Keys}) {
				return fault.Errorf(fault.Unsupported, "attention.without", "id", h.id)
			}
		}
		layer.Steps, layer.Parts = nil, nil
		h.sent++
		for _, one := range all {
			if err := h.hand(one); err != nil {
				return err
			}
		}
	}
	return nil
}

// hand delivers one map.
func (h *handing) hand(one AttendedLayer) error {
	if h.lends {
		return h.turn.lend(func() error { return h.layer(one) })
	}
	return h.layer(one)
}
