package engine

import (
	"context"
	"slices"
	"strings"

	"attnatlas/engine/encoder"
	"attnatlas/engine/fault"
	"attnatlas/engine/messages"
	"attnatlas/engine/method"
	"attnatlas/engine/nn"
	"attnatlas/engine/predict"
	"attnatlas/engine/tokenizer"
	"attnatlas/engine/trace"
)

// Names of the parts of an encoder–decoder.
const (
	CrossPart          = "cross"           // the decoder attends to the encoder's output
	DecoderPart        = "decoder"         // the decoder attends to what was written before
	EncoderPart        = "encoder"         // the encoder attends to the text
	EncoderRolloutPart = "encoder-rollout" // rollout through the encoder's layers
)

// Part is one of several sequences of layers of a model.
type Part struct {
	Name   string
	Layers []Layer
}

// Usual returns the number of the layer that is shown by default: the last one, in which cross-attention has found
// its words.
func (p Part) Usual() int { return len(p.Layers) }

// PartMap returns the name of the main map of a part.
func PartMap(part string) string {
	if part == EncoderRolloutPart {
		return method.Rollout
	}
	return "weights"
}

// generate answers for an encoder–decoder. It writes, and then runs once over all written tokens for their maps. No
// token attends to later ones, so every row is as it was when its token was written.
func (e *Engine) generate(ctx context.Context, m *model, start func(*nn.Pass), text *Report, r Request,
	res *Result) error {
	if err := e.generates(m, text, r); err != nil {
		return err
	}
	in, err := m.source(text, r)
	if err != nil {
		return err
	}
	var calls *[]encoder.Mixing
	err = e.pass(ctx, func(p *nn.Pass) {
		start(p)
		most := mostWritten
		if r.brief {
			most = fewWritten
		}
		written, err := m.write(ctx, e.vocab, p, in, most)
		if err != nil {
			panic(stopped{err})
		}
		g, told := e.generation(m, in.Task, text, written), r.Told && m.words == nil
		if res.Generated = g; told {
			written = append(predict.RightAnswer(e.vocab, g.Task, text.Tokens), e.vocab.SEP())
		}
		in.Target = append([]int{m.opening(e.vocab)}, written[:len(written)-1]...)
		renew(ctx, p)
		start(p)
		calls = encoder.ObserveFirst(p, r.Method.Calls())
		p.Run = &trace.Run{Only: viewNames(res)}
		y := m.seq2seq.Run(p, in)
		if !told {
			g.FillTop(e.speller(m), m.seq2seq.Words(p, y, upTo(len(written))).Value)
		}
		title := "writes"
		if told {
			title = "told"
		}
		res.collectParts(p.Run, title, e.labels(m, written), e.labels(m, in.Target))
	})
	if err != nil {
		return err
	}
	if err := res.rollOutEncoder(); err != nil {
		return err
	}
	s := subjectOf(m, text, r, res)
	s.Calls = *calls
	return e.measure(ctx, s, res)
}

// tasks returns the names of the tasks that an encoder–decoder has learned.
func (m *model) tasks() (names []string) {
	for _, t := range m.seq2seq.Config.Tasks {
		names = append(names, t.Name)
	}
	return names
}

// source returns the input of an encoder–decoder with its task, before anything is written.
func (m *model) source(text *Report, r Request) (encoder.Pair, error) {
	in := encoder.Pair{Count: 1, Source: m.ids(text.Tokens)}
	if r.Task == "" || m.words != nil {
		return in, nil
	}
	known := m.tasks()
	if in.Task = slices.Index(known, r.Task); in.Task < 0 {
		return in, fault.Errorf(fault.Unsupported, "error.generation.task", "task", messages.Quote(r.Task), "known",
			messages.List(known))
	}
	return in, nil
}

// generates returns an error if an encoder–decoder cannot answer a request.
func (e *Engine) generates(m *model, text *Report, r Request) error {
	asked := r.Method.Method()
	switch {
	case r.Mask == nn.Causal:
		return fault.Errorf(fault.Unsupported, "error.generation.mask")
	case asked != nil && !asked.NoTwoStacks.IsZero():
		return &fault.Error{Kind: fault.Unsupported, Msg: asked.NoTwoStacks}
	case strings.Contains(text.Text, tokenizer.PairMark):
		return fault.Errorf(fault.Unsupported, "error.generation.pair", "mark", tokenizer.PairMark)
	case m.words == nil && slices.ContainsFunc(text.Tokens[1:len(text.Tokens)-1],
		func(t tokenizer.Token) bool { return e.vocab.IsSpecial(t.ID) }):
		return fault.Errorf(fault.Unsupported, "error.generation.mark")
	}
	return nil
}

// collectParts takes over the maps of a run of an encoder–decoder. Queries of the decoder are labelled, under a
// title, with the tokens that it is about to write. Keys of its self-attention are labelled with the tokens read so
// far: [CLS] and all but the last written one. Axes of the text are labelled with the rest of the report.
func (res *Result) collectParts(run *trace.Run, title string, written, read []string) {
	var cross, decoder, own Part
	cross.Name, decoder.Name, own.Name = CrossPart, DecoderPart, EncoderPart
	for _, part := range run.Parts {
		if !strings.HasPrefix(part.Name, DecoderPart) {
			own.add(pick(part, res.Entry.Views), "", nil, nil)
			continue
		}
		decoder.add(pick(part, res.Entry.Views), title, written, read)
		for _, c := range part.Parts {
			cross.add(pick(c, res.Entry.Views), title, written, nil)
		}
	}
	res.Layers = own.Layers
	res.Parts = []Part{cross, decoder, own}
}

// add adds a layer whose queries, under a title, and keys have labels of their own. Nil labels change nothing.
func (p *Part) add(maps []trace.Map, title string, queries, keys []string) {
	for _, m := range maps {
		for a := range m.Axes {
			switch axis := &m.Axes[a]; {
			case axis.Role == trace.Query && queries != nil:
				axis.Labels, axis.Name = queries, title
			case axis.Role == trace.Key && keys != nil:
				axis.Labels = keys
			}
		}
	}
	n := len(p.Layers) + 1
	p.Layers = append(p.Layers, Layer{Number: n, Name: messages.English.T("unit.layer", "number", n), Maps: maps})
}

// rollOutEncoder adds the part EncoderRolloutPart. Rollout is not defined for a decoder, because it reads two texts.
func (res *Result) rollOutEncoder() error {
	rolled := Part{Name: EncoderRolloutPart}
	found, err := method.Find(method.Rollout).Measure(&method.Subject{
		Depth: len(res.Layers), Weights: func(int) ([]trace.Map, error) { return weightMaps(res.Layers) },
	})
	for i, one := range found.Maps {
		l := res.Layers[i]
		rolled.Layers = append(rolled.Layers, Layer{Number: l.Number, Name: l.Name, Maps: []trace.Map{one.Map}})
	}
	res.Parts = append(res.Parts, rolled)
	return err
}

// mostWritten is the largest number of tokens that a guest writes if its maps are shown.
const mostWritten = 48

// fewWritten is the same limit if they are not shown.
const fewWritten = 6

// opening returns the id of the token that a decoder begins with.
func (m *model) opening(v *tokenizer.Vocabulary) int {
	if m.words == nil {
		return v.CLS()
	}
	return m.target.Start
}

// write lets an encoder–decoder write by greedy decoding, and returns the written ids with the end token. The error
// is the context's, which is checked before every token.
func (m *model) write(ctx context.Context, v *tokenizer.Vocabulary, p *nn.Pass, in encoder.Pair,
	most int) ([]int, error) {
	if m.words == nil {
		return m.seq2seq.Greedy(ctx, p, in, encoder.Ends{Start: v.CLS(), Stop: v.SEP(), Limit: m.config().Length})
	}
	cuts, instead := p.Cuts, p.Instead
	reader := encoder.NewTargetContinuer(m.seq2seq, in)
	return m.target.Write(p, reader, min(most, m.config().Length-1), func() error {
		renew(ctx, p)
		p.Cuts, p.Instead = cuts, instead
		return ctx.Err()
	})
}

// generation describes what a model wrote.
func (e *Engine) generation(m *model, task int, text *Report, written []int) *predict.Generation {
	if m.words == nil {
		return predict.NewGeneration(e.vocab, m.tasks(), task, text.Tokens, written)
	}
	g := &predict.Generation{Stopped: slices.Contains(m.target.Stops, written[len(written)-1])}
	for _, id := range written {
		g.Steps = append(g.Steps, predict.WrittenWord{Piece: e.speller(m).Piece(id)})
	}
	if w, ok := m.words.(predict.Writer); ok {
		g.Text = w.Decode(written)
	}
	return g
}

// labels returns the labels of ids of a model.
func (e *Engine) labels(m *model, ids []int) []string {
	all := make([]string, len(ids))
	for i, id := range ids {
		all[i] = tokenizer.PieceLabel(e.speller(m).Piece(id))
	}
	return all
}

func upTo(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}
